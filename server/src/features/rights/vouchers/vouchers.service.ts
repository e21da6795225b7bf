import { shareOf } from '@ondine/contract/money'
import { and, count, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { giveBackAttempt, takeAttempt } from '../../people/attempts/attempts.service.ts'
import { chargeable } from '../payments/payments.service.ts'
import type { VoucherTerms } from './voucher-terms.ts'
import { voucherCodes, vouchers, voucherUses } from './vouchers.table.ts'

/** A code of a voucher, with the voucher. */
export interface FoundVoucher {
  codeId: number
  voucherId: number
  key: string
  terms: VoucherTerms
  withdrawnAt: number | null
}

const FOUND = {
  codeId: voucherCodes.id,
  voucherId: vouchers.id,
  key: vouchers.key,
  terms: vouchers.terms,
  withdrawnAt: vouchers.withdrawnAt,
}

/** Returns a typed code in its stored form: in capital letters, without spaces and dashes. */
export function plainCode(written: string): string {
  return written.replaceAll(/[\s-]/g, '').toUpperCase()
}

/**
 * Returns the voucher of a code that a customer typed. Each wrong code counts as an attempt.
 *
 * @throws ServiceError invalidVoucher for a code that is unknown or not valid now; slowDown after ten wrong codes
 * in a minute
 */
export async function guessVoucher(
  db: Database,
  accountId: number,
  written: string,
  now: number,
): Promise<FoundVoucher> {
  await takeAttempt(db, 'voucher', accountId, now)
  const [found] = await db
    .select(FOUND)
    .from(voucherCodes)
    .innerJoin(vouchers, eq(voucherCodes.voucherId, vouchers.id))
    .where(eq(voucherCodes.code, plainCode(written)))
  if (!found || !isValid(found, now)) throw new ServiceError('invalidVoucher')
  await giveBackAttempt(db, 'voucher', accountId)
  return found
}

/** Returns the code with this id, and its voucher; undefined when the voucher is not valid now. */
export async function validVoucher(
  db: Database,
  codeId: number,
  now: number,
): Promise<FoundVoucher | undefined> {
  const [found] = await db
    .select(FOUND)
    .from(voucherCodes)
    .innerJoin(vouchers, eq(voucherCodes.voucherId, vouchers.id))
    .where(eq(voucherCodes.id, codeId))
  return found && isValid(found, now) ? found : undefined
}

function isValid({ terms, withdrawnAt }: FoundVoucher, now: number): boolean {
  const { validFrom, validTo } = terms
  return withdrawnAt === null && (validFrom ?? 0) <= now && (validTo === null || now < validTo)
}

/**
 * Returns whether an account may use a code once more. Checks both the limit per code and the limit per account.
 */
export async function isUsable(
  db: Database | Transaction,
  accountId: number,
  { codeId, voucherId, terms }: FoundVoucher,
): Promise<boolean> {
  const { usesPerCode, usesPerAccount } = terms
  const [code] = await db
    .select({ uses: voucherCodes.uses })
    .from(voucherCodes)
    .where(eq(voucherCodes.id, codeId))
  if (usesPerCode !== null && (code?.uses ?? 0) >= usesPerCode) return false
  return usesPerAccount === null || (await usesOf(db, accountId, voucherId)) < usesPerAccount
}

async function usesOf(db: Database | Transaction, accountId: number, voucherId: number): Promise<number> {
  const [row] = await db
    .select({ uses: count() })
    .from(voucherUses)
    .innerJoin(voucherCodes, eq(voucherUses.codeId, voucherCodes.id))
    .where(
      and(
        eq(voucherUses.accountId, accountId),
        eq(voucherCodes.voucherId, voucherId),
        isNull(voucherUses.releasedAt),
      ),
    )
  return row?.uses ?? 0
}

/**
 * Counts a use of a code by an account. The caller must lock the row of the account first, so that concurrent
 * calls do not exceed the limit per account. This function locks the row of the code, so that concurrent calls do
 * not exceed the limit per code.
 *
 * @returns the id of the use
 * @throws ServiceError invalidVoucher when the voucher is no longer valid, voucherUsed when a limit is reached
 */
export async function takeUse(
  tx: Transaction,
  { accountId, now, offerRevisionId }: { accountId: number; now: number; offerRevisionId?: number },
  { codeId }: Pick<FoundVoucher, 'codeId'>,
): Promise<number> {
  // Read the voucher again, because it may have been withdrawn in the meantime.
  const [found] = await tx
    .select(FOUND)
    .from(voucherCodes)
    .innerJoin(vouchers, eq(voucherCodes.voucherId, vouchers.id))
    .where(eq(voucherCodes.id, codeId))
  if (!found || !isValid(found, now)) throw new ServiceError('invalidVoucher')
  const { usesPerCode, usesPerAccount } = found.terms
  if (usesPerAccount !== null && (await usesOf(tx, accountId, found.voucherId)) >= usesPerAccount)
    throw new ServiceError('voucherUsed')
  const [taken] = await tx
    .update(voucherCodes)
    .set({ uses: sql`${voucherCodes.uses} + 1` })
    .where(
      and(eq(voucherCodes.id, codeId), usesPerCode === null ? undefined : lt(voucherCodes.uses, usesPerCode)),
    )
    .returning({ id: voucherCodes.id })
  if (!taken) throw new ServiceError('voucherUsed')
  const [use] = await tx
    .insert(voucherUses)
    .values({ codeId, accountId, at: now, offerRevisionId: offerRevisionId ?? null })
    .returning({ id: voucherUses.id })
  if (!use) throw new Error('The use was not stored.')
  return use.id
}

/** Releases the use of a code after its order has failed or expired. A use is released at most once. */
export async function releaseUse(tx: Transaction, useId: number, now: number): Promise<void> {
  const [use] = await tx
    .update(voucherUses)
    .set({ releasedAt: now })
    .where(and(eq(voucherUses.id, useId), isNull(voucherUses.releasedAt)))
    .returning({ codeId: voucherUses.codeId })
  if (use)
    await tx
      .update(voucherCodes)
      .set({ uses: sql`${voucherCodes.uses} - 1` })
      .where(eq(voucherCodes.id, use.codeId))
}

/** Returns the id of the code of a use. */
export async function codeOfUse(tx: Transaction, useId: number): Promise<number | undefined> {
  const [use] = await tx
    .select({ codeId: voucherUses.codeId })
    .from(voucherUses)
    .where(eq(voucherUses.id, useId))
  return use?.codeId
}

/** Price of an offer in a cart. */
export interface DueItem {
  /** Key of the offer. */
  key: string
  cents: number
}

/**
 * Returns the discount of each item, in cents. A percentage is taken off each item. A fixed amount is taken off
 * the first items until the amount is used up. No price falls below zero. If so little is left to pay that no
 * provider charges it, everything is free.
 */
export function discountsOf({ gives, offers }: VoucherTerms, items: readonly DueItem[]): number[] {
  let left = gives.kind === 'fixed' ? gives.cents : 0
  const discounts = items.map(({ key, cents }) => {
    if (offers !== null && !offers.includes(key)) return 0
    if (gives.kind === 'percentage') return shareOf(cents, gives.basisPoints)
    const off = Math.min(left, cents)
    left -= off
    return off
  })
  const isDiscounted = discounts.some((off) => off > 0)
  const due = items.reduce((sum, { cents }, at) => sum + cents - (discounts[at] ?? 0), 0)
  return isDiscounted && chargeable(due) === 0 ? items.map(({ cents }) => cents) : discounts
}
