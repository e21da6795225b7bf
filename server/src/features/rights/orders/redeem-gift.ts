import { and, eq, gt, inArray, isNull, max } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { periodsAfter } from '../../../time/periods.ts'
import { requireHeldAccount } from '../../people/accounts/accounts.service.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { addGrant } from '../entitlements/grants.service.ts'
import type { OfferBook } from '../offers/offer-book.service.ts'
import { allowancesOf } from '../offers/offers.service.ts'
import { guessVoucher, takeUse } from '../vouchers/vouchers.service.ts'
import type { Buyer } from './cart.service.ts'
import { requireFree, requireRequired } from './cart-rules.ts'
import { holdingsOf } from './holdings.service.ts'
import { titleOf } from './offer-title.ts'

/** A redeemed gift. Times are milliseconds since the Unix epoch. */
export interface Redeemed {
  idOption: number
  title: string
  months: number
  from: number
  to: number
}

/**
 * Redeems a gift code: counts a use of the code and gives the rights of the gift's plan, in one transaction. If an
 * earlier gift opens packages of the same plan, the new gift begins when the earlier gift ends.
 *
 * @throws ServiceError invalidVoucher if the code is not a valid gift code; voucherUsed if a limit of uses is
 * reached; slowDown after too many wrong codes; alreadySubscribed, offerIncompatible and requiredOptionMissing as
 * for a purchase of the plan
 */
export async function redeemGift(
  { db, book }: { db: Database; book: OfferBook },
  { account, language, now }: Buyer,
  written: string,
): Promise<Redeemed> {
  const found = await guessVoucher(db, account.id, written, now)
  const { gives } = found.terms
  const offer = gives.kind === 'gift' ? book.ofKey(gives.offer) : undefined
  if (gives.kind !== 'gift' || !offer) throw new ServiceError('invalidVoucher')
  return await db.transaction(async (tx) => {
    const { id: accountId } = await requireHeldAccount(tx, account)
    const holdings = await holdingsOf(tx, accountId, now)
    requireFree([offer], holdings)
    requireRequired([offer], holdings)
    const useId = await takeUse(tx, { accountId, now, offerRevisionId: offer.revisionId }, found)
    const { packageIds } = offer.terms
    const from = (await endOfGifts(tx, accountId, packageIds, now)) ?? now
    const to = periodsAfter(from, { unit: 'month', period: 1 }, gives.months)
    for (const packageId of packageIds)
      await addGrant(tx, {
        accountId,
        opens: { packageId },
        source: 'gift',
        sourceId: String(useId),
        from,
        to,
        ...allowancesOf(offer.terms),
      })
    return { idOption: offer.id, title: titleOf(offer, language), months: gives.months, from, to }
  })
}

/** Returns when the last gift that opens one of these packages ends; null if the account has no such gift. */
async function endOfGifts(
  tx: Transaction,
  accountId: number,
  packageIds: number[],
  now: number,
): Promise<number | null> {
  const [row] = await tx
    .select({ end: max(grants.validTo) })
    .from(grants)
    .where(
      and(
        eq(grants.accountId, accountId),
        eq(grants.source, 'gift'),
        inArray(grants.packageId, packageIds),
        isNull(grants.endedAt),
        gt(grants.validTo, now),
      ),
    )
  return row?.end ?? null
}
