import type { Language } from '@ondine/contract/languages'
import { amountText } from '@ondine/contract/money'
import type { PlanChange as PresentedChange } from '@ondine/contract/subscriptions'
import { titleOf } from './offer-title.ts'
import type { PlanChange } from './plan-changes.ts'
import { periodicity } from './subscriptions.service.ts'

/** Returns an available change of plan in the form of the API. */
export function presentChange(
  { offer, starts, at, cents, creditCents, renewals, ends }: PlanChange,
  language: Language,
): PresentedChange {
  return {
    idOption: offer.id,
    idRevision: offer.revisionId,
    title: titleOf(offer, language),
    priceWithVat: amountText(offer.terms.cents),
    pricePeriodicity: periodicity(offer),
    priceDetail: {
      recurrenceUnit: offer.terms.recurrence?.unit ?? null,
      recurrencePeriod: offer.terms.recurrence?.period ?? 0,
    },
    starts,
    at: Math.floor(at / 1000),
    amount: amountText(cents),
    credit: amountText(creditCents),
    renewals: renewals.map((charge) => ({
      priceWithVat: amountText(charge.cents),
      at: Math.floor(charge.at / 1000),
    })),
    endsOptions: ends.map((option) => titleOf(option.offer, language)),
  }
}
