import type { OutputOf } from '@ondine/contract/operation'
import { redeemGift } from '@ondine/contract/vouchers'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { answer } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import { dateText } from '../../../words/dates.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import type { Place } from '../../../words/format.ts'
import { refusalText } from '../../ground/errors/refusal-text.ts'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import { INVALID_VOUCHER } from './try-voucher.ts'

type TakenGift = { gift: OutputOf<typeof redeemGift> } | { refusal: string }

/** Asks for a gift code, redeems it, and describes the gift to the viewer. Works only in the browser. */
export async function enterGift(queries: QueryClient, place: Place): Promise<void> {
  const { t } = pageWords()
  let asked: Promise<TakenGift> | undefined
  await modal.open('input', {
    purpose: 'gift',
    primaryLabel: t('gift.redeem'),
    check: async (voucherCode) => {
      asked = takeGift(voucherCode)
      const taken = await asked
      return 'refusal' in taken ? taken.refusal : undefined
    },
  })
  // The code may have been redeemed although the viewer has closed the dialog. If the call failed, the dialog has
  // already shown the error.
  const taken = await asked?.catch(() => undefined)
  if (taken === undefined || 'refusal' in taken) return
  const { title, months, userValidityFrom, userValidityTo } = taken.gift
  await Promise.all([
    askUnlockedAnew(queries),
    modal.open('alert', {
      title: t('gift.title'),
      description: t('gift.text', {
        title,
        count: months,
        from: dateText(userValidityFrom, place),
        to: dateText(userValidityTo, place),
      }),
    }),
  ])
}

/** Redeems a gift code. If the service refuses the code, returns the reason in words. */
async function takeGift(voucherCode: string): Promise<TakenGift> {
  const { t, exists } = pageWords()
  try {
    const taken = await answer(redeemGift, { voucherCode })
    if (taken.status) return { gift: taken.result }
    return { refusal: t(taken.error.code === INVALID_VOUCHER ? 'gift.invalid' : 'gift.used') }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === NO_ANSWER) throw error
    return { refusal: refusalText(error, t, exists) }
  }
}
