import { amountText, vatWithin } from '@ondine/contract/money'
import type { Promotion } from '@ondine/contract/vouchers'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { type VatRates, vatRate } from '../../../money/vat-rates.ts'
import { requireOpenAccount } from '../../people/accounts/accounts.service.ts'
import type { OfferBook } from '../offers/offer-book.service.ts'
import { promotionOf, withPromotion } from '../offers/promotions.service.ts'
import { type VoucherTerms } from '../vouchers/voucher-terms.ts'
import { discountsOf, guessVoucher, isUsable, validVoucher } from '../vouchers/vouchers.service.ts'
import { allCartRows, type Buyer, linesOf } from './cart.service.ts'
import { dueFor } from './due.ts'
import { holdingsOf, planOf } from './holdings.service.ts'
import { titleOf } from './offer-title.ts'
import { cartVouchers } from './orders.table.ts'

interface PriceParts {
  db: Database
  vatRates: VatRates
}

interface Parts extends PriceParts {
  book: OfferBook
}

/** An offer in the cart, with the amount due without a voucher. */
export interface DueLine {
  offer: { id: number; key: string }
  dueCents: number
}

/** Effect of a valid voucher on the cart. */
export interface Validated {
  promotions: Promotion[]
  gift: { idOption: number; title: string; months: number } | null
}

/**
 * Checks the code of a voucher. If the voucher lowers the price of the cart, stores the voucher, so that the cart
 * shows the discount (A4.8-02). The check does not count as a use of the code.
 *
 * @throws ServiceError invalidVoucher for a code that is unknown or not valid now; voucherUsed if a limit of uses
 * is reached; slowDown after too many wrong codes; conflict if an offer in the cart has changed
 */
export async function validateVoucher(
  { db, book, vatRates }: Parts,
  buyer: Buyer,
  written: string,
): Promise<Validated> {
  const { account, language, now } = buyer
  const found = await guessVoucher(db, account.id, written, now)
  if (!(await isUsable(db, account.id, found))) throw new ServiceError('voucherUsed')
  const { gives } = found.terms
  if (gives.kind === 'gift') {
    const offer = book.ofKey(gives.offer)
    if (!offer) throw new ServiceError('invalidVoucher')
    const gift = { idOption: offer.id, title: titleOf(offer, language), months: gives.months }
    return { promotions: [], gift }
  }
  const rows = await allCartRows(db, [account.id])
  const lines = linesOf(book, rows.get(account.id) ?? [])
  const { tried } = await holdingsOf(db, account.id, now)
  const promotions = await promotionsOf(
    { db, vatRates },
    buyer,
    found.terms,
    lines.map(({ offer }) => {
      const terms = withPromotion(offer.terms, promotionOf(offer, buyer.sells))
      return { offer, dueCents: dueFor(terms, tried.has(planOf(offer))).cents }
    }),
  )
  if (promotions.length > 0)
    await db
      .insert(cartVouchers)
      .values({ accountId: account.id, codeId: found.codeId })
      .onConflictDoUpdate({ target: cartVouchers.accountId, set: { codeId: found.codeId } })
  return { promotions, gift: null }
}

/** Returns the discounts of the cart's voucher, one for each offer whose price the voucher lowers (A3-26). */
export async function cartPromotions(
  { db, vatRates }: PriceParts,
  buyer: Buyer,
  lines: readonly DueLine[],
): Promise<Promotion[]> {
  const { account, now } = buyer
  const [kept] = await db.select().from(cartVouchers).where(eq(cartVouchers.accountId, account.id))
  const found = kept && (await validVoucher(db, kept.codeId, now))
  if (!found || !(await isUsable(db, account.id, found))) return []
  return await promotionsOf({ db, vatRates }, buyer, found.terms, lines)
}

async function promotionsOf(
  { db, vatRates }: PriceParts,
  { account, now }: Buyer,
  terms: VoucherTerms,
  lines: readonly DueLine[],
): Promise<Promotion[]> {
  const { gives } = terms
  const discounts = discountsOf(
    terms,
    lines.map(({ offer: { key }, dueCents: cents }) => ({ key, cents })),
  )
  const { addressCountry } = await requireOpenAccount(db, account.id)
  const rate = vatRate(vatRates, addressCountry, now)
  return lines.flatMap(({ offer, dueCents }, at) => {
    const off = discounts[at] ?? 0
    if (off === 0) return []
    return [
      {
        item: offer.id,
        discountType: gives.kind === 'percentage' ? ('percentage' as const) : ('fixed' as const),
        discountValue: amountText(gives.kind === 'percentage' ? gives.basisPoints : off),
        discountVat: amountText(vatWithin(off, rate)),
        discountedPrice: amountText(dueCents - off),
      },
    ]
  })
}
