import { isDeepStrictEqual } from 'node:util'
import { and, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import type { YamlFault } from '../../../read-yaml.ts'
import type { OfferBook } from '../offers/offer-book.service.ts'
import { readVoucherFile, termsOf, type VoucherFile } from './voucher-file.ts'
import { voucherCodes, vouchers } from './vouchers.table.ts'

/**
 * Keys of the imported vouchers, grouped by the effect of the import. If there are faults, nothing was changed.
 */
export interface VoucherImport {
  added: string[]
  changed: string[]
  unchanged: string[]
  faults: YamlFault[]
}

/**
 * Imports a file of vouchers (docs/operating.md). Imports either all vouchers of the file or none. Stored vouchers
 * that the file does not contain are not changed. A withdrawn voucher in the file becomes valid again.
 */
export async function importVouchers(
  { db, book }: { db: Database; book: OfferBook },
  source: string,
): Promise<VoucherImport> {
  const nothing = { added: [], changed: [], unchanged: [] }
  const file = readVoucherFile(source)
  if (Array.isArray(file)) return { ...nothing, faults: file }
  await book.refresh()
  const faults = namedOffers(file, book)
  if (faults.length > 0) return { ...nothing, faults }
  return await db.transaction(async (tx) => {
    // Allow one import at a time, so that each import sees the result of the previous import.
    await tx.execute(sql`lock table ${vouchers} in share row exclusive mode`)
    const codes = await codeFaults(tx, file)
    return codes.length > 0 ? { ...nothing, faults: codes } : await put(tx, file)
  })
}

/** Returns a fault for each unknown offer, and for each gift of an offer that is not a subscription. */
function namedOffers({ values, lineOf }: VoucherFile, book: OfferBook): YamlFault[] {
  return values.vouchers.flatMap(({ offers = [], gift }, index) => {
    const wrong = offers.flatMap((key, at) =>
      book.ofKey(key) ? [] : [{ path: ['vouchers', index, 'offers', at], reason: `names no offer: ${key}` }],
    )
    if (gift && book.ofKey(gift.offer)?.type !== 'subscription')
      wrong.push({
        path: ['vouchers', index, 'gift', 'offer'],
        reason: `names no subscription: ${gift.offer}`,
      })
    return wrong.map(({ path, reason }) => ({ line: lineOf(path), reason: `${path.join('.')} ${reason}` }))
  })
}

/**
 * Returns a fault for each voucher in the file whose code differs from its stored code, or belongs to another
 * voucher. A stored code cannot change, because customers may already have it.
 */
async function codeFaults(tx: Transaction, { values, lineOf }: VoucherFile): Promise<YamlFault[]> {
  const stored = await tx
    .select({ key: vouchers.key, code: voucherCodes.code })
    .from(voucherCodes)
    .innerJoin(vouchers, eq(voucherCodes.voucherId, vouchers.id))
    .where(eq(voucherCodes.isGenerated, false))
  const codeOf = new Map(stored.map(({ key, code }) => [key, code]))
  const faults: YamlFault[] = []
  for (const [index, { key, code }] of values.vouchers.entries()) {
    const path = ['vouchers', index, 'code']
    const fault = (reason: string) =>
      void faults.push({ line: lineOf(path), reason: `${path.join('.')} ${reason}` })
    const known = codeOf.get(key)
    if (known !== undefined && known !== code) fault(`cannot change: it is ${known}`)
    else if (known === undefined && code !== undefined && (await isTaken(tx, code)))
      fault(`is of another voucher: ${code}`)
  }
  return faults
}

async function isTaken(tx: Transaction, code: string): Promise<boolean> {
  return (await tx.$count(voucherCodes, eq(voucherCodes.code, code))) > 0
}

async function put(tx: Transaction, { values }: VoucherFile): Promise<VoucherImport> {
  const result: VoucherImport = { added: [], changed: [], unchanged: [], faults: [] }
  for (const written of values.vouchers) {
    const { key, code } = written
    const terms = termsOf(written)
    const [before] = await tx.select().from(vouchers).where(eq(vouchers.key, key))
    const isSame = isDeepStrictEqual(before?.terms, terms) && before?.withdrawnAt === null
    const [row] = await tx
      .insert(vouchers)
      .values({ key, terms })
      .onConflictDoUpdate({ target: vouchers.key, set: { terms, withdrawnAt: null } })
      .returning({ id: vouchers.id })
    if (!row) throw new Error('The voucher was not stored.')
    const isOwn = and(eq(voucherCodes.voucherId, row.id), eq(voucherCodes.isGenerated, false))
    if (code !== undefined && (await tx.$count(voucherCodes, isOwn)) === 0)
      await tx.insert(voucherCodes).values({ voucherId: row.id, code, isGenerated: false })
    result[before === undefined ? 'added' : isSame ? 'unchanged' : 'changed'].push(key)
  }
  return result
}
