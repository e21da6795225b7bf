import { type Promotion, validateVoucher } from '@ondine/contract/vouchers'
import { ApiError, NO_ANSWER } from '../../../api/api-error.ts'
import { answer } from '../../../api/call.ts'
import { pageWords } from '../../../words/fetch-words.ts'
import { refusalText } from '../../ground/errors/refusal-text.ts'

/** The voucher of a cart (A3-27). */
export interface Voucher {
  code: string
  promotions: Promotion[]
}

/** The voucher with its discounts, or the reason in words why the service refuses the code. */
type TriedVoucher = { voucher: Voucher } | { refusal: string }

/** Error code of a voucher that does not exist or is not valid now. */
export const INVALID_VOUCHER = -911
/** Error code of a voucher that has been used up. */
export const USED_VOUCHER = -15_004

/**
 * Validates the code of a voucher for the current cart (A4.8-02). A voucher without a discount gets the text for
 * an invalid voucher (A8.3-09). Works only in the browser.
 *
 * @throws ApiError when the service does not answer
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
    return { refusal: refusalText(error, t, exists) }
  }
}
