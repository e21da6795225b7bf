import { type Promotion, validateVoucher } from '@ondine/contract/vouchers'
import { ApiError, NO_ANSWER } from '../../api/api-error.ts'
import { answer } from '../../api/call.ts'
import { pageWords } from '../../words/fetch-words.ts'
import { describeError } from '../errors/describe-error.ts'

/** The voucher of a cart (A3-27). */
export interface Voucher {
  code: string
  promotions: Promotion[]
}

/** What a code takes off the cart, or in words why it takes nothing off. */
type TriedVoucher = { voucher: Voucher } | { refusal: string }

/** The wire's code of a voucher that is none, or not valid now. */
export const INVALID_VOUCHER = -911
/** The same of one that has no use left. */
export const USED_VOUCHER = -15_004

/**
 * Looks at a code for the cart as it is (A4.8-02). One that takes nothing off is told like one that is not valid (A8.3-09). Only in
 * the browser.
 *
 * @throws ApiError when no answer came
 */
export async function tryVoucher(code: string, parentalProof?: string): Promise<TriedVoucher> {
  const { t, exists } = pageWords()
  try {
    const given = await answer(validateVoucher, { voucherCode: code, parentalProof })
    if (!given.status)
      return { refusal: given.error.code === INVALID_VOUCHER ? t('errors.error911') : given.error.message }
    const { promotions, gift } = given.result
    if (gift !== null) return { refusal: t('cart.isGift', { title: gift.title }) }
    if (promotions.length === 0) return { refusal: t('errors.error911') }
    return { voucher: { code, promotions } }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === NO_ANSWER) throw error
    return { refusal: describeError(error, t, exists).text }
  }
}
