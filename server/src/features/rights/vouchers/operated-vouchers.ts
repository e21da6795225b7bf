import { randomInt } from 'node:crypto'
import { asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { voucherCodes, vouchers } from './vouchers.table.ts'

/** A voucher with counts for operators. */
export type OperatedVoucher = typeof vouchers.$inferSelect & {
  /** Number of codes of the voucher, and how often they were used. */
  codes: number
  uses: number
}

/** Returns all vouchers in the order of their creation, or only the voucher with this key. */
export async function listVouchers(db: Database, key?: string): Promise<OperatedVoucher[]> {
  const rows = await db
    .select({
      voucher: vouchers,
      codes: sql<number>`count(${voucherCodes.id})::integer`,
      uses: sql<number>`coalesce(sum(${voucherCodes.uses}), 0)::integer`,
    })
    .from(vouchers)
    .leftJoin(voucherCodes, eq(voucherCodes.voucherId, vouchers.id))
    .where(key === undefined ? undefined : eq(vouchers.key, key))
    .groupBy(vouchers.id)
    .orderBy(asc(vouchers.id))
  return rows.map(({ voucher, ...counts }) => ({ ...voucher, ...counts }))
}

/**
 * Withdraws a voucher with all its codes. Does nothing if the voucher is already withdrawn.
 *
 * @returns whether the voucher exists
 */
export async function withdrawVoucher(db: Database, key: string, now: number): Promise<boolean> {
  const rows = await db
    .update(vouchers)
    .set({ withdrawnAt: sql`coalesce(${vouchers.withdrawnAt}, ${new Date(now).toISOString()}::timestamptz)` })
    .where(eq(vouchers.key, key))
    .returning({ id: vouchers.id })
  return rows.length > 0
}

/** Capital letters and digits, without easily confused characters (I, O, 0 and 1). */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 12
/** Number of codes that one statement inserts. */
const SLICE = 1000

/**
 * Adds random codes to a voucher. @returns the codes in their printed form; undefined if the voucher does not
 * exist
 */
export async function generateCodes(
  db: Database,
  key: string,
  wanted: number,
): Promise<string[] | undefined> {
  return await db.transaction(async (tx) => {
    const [voucher] = await tx.select().from(vouchers).where(eq(vouchers.key, key))
    if (!voucher) return undefined
    const codes: string[] = []
    while (codes.length < wanted) {
      const values = Array.from({ length: Math.min(SLICE, wanted - codes.length) }, () => ({
        voucherId: voucher.id,
        code: randomCode(),
        isGenerated: true,
      }))
      const made = await tx
        .insert(voucherCodes)
        .values(values)
        .onConflictDoNothing()
        .returning({ code: voucherCodes.code })
      codes.push(...made.map(({ code }) => printedCode(code)))
    }
    return codes
  })
}

function randomCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Separates a code into groups of four characters, with dashes. */
function printedCode(code: string): string {
  return code.replaceAll(/.{4}(?=.)/g, '$&-')
}
