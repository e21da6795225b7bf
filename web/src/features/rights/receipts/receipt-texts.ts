import { readAmount } from '@ondine/contract/money'
import type { OutputOf } from '@ondine/contract/operation'
import type { listReceipts } from '@ondine/contract/receipts'
import type { TFunction } from 'i18next'
import { dayText } from '../../../words/dates.ts'
import type { Place } from '../../../words/format.ts'
import { amountText, moneyText } from '../../../words/money.ts'

export type Receipt = OutputOf<typeof listReceipts>[number]

/**
 * Describes a receipt or credit note: its kind, its lines and its amount. The amount of a credit note has a minus sign.
 * Its day is the day in UTC, as on the printed document.
 */
export function receiptTexts(
  { kind, number, issuedAt, amount, vat, lines }: Receipt,
  place: Place,
  t: TFunction,
): { title: string; notes: string[] } {
  const sign = kind === 'creditNote' ? -1 : 1
  const money = (written: string) => moneyText(sign * (readAmount(written) ?? 0), place.language)
  return {
    title: t(`billing.${kind}`, { number }),
    notes: [
      `${dayText(issuedAt, place)} · ${money(amount)} (${t('billing.vat', { vat: money(vat) })})`,
      lines
        .map(({ title, usualAmount }) =>
          usualAmount === null
            ? title
            : t('billing.special', { title, amount: amountText(usualAmount, place.language) }),
        )
        .join(', '),
    ].filter((note) => note !== ''),
  }
}
