import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { voucherCodes, vouchers, voucherUses } from './vouchers.table.ts'

/** Reads the vouchers that an account has used. */
export async function exportVoucherUses(db: Database, accountId: number): Promise<AccountData> {
  return {
    vouchers: await db
      .select({ ...readableColumns(voucherUses), voucher: vouchers.key })
      .from(voucherUses)
      .innerJoin(voucherCodes, eq(voucherCodes.id, voucherUses.codeId))
      .innerJoin(vouchers, eq(vouchers.id, voucherCodes.voucherId))
      .where(eq(voucherUses.accountId, accountId))
      .orderBy(voucherUses.id),
  }
}
