import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { stripeCustomers } from './stripe.table.ts'

/** Reads the name by which Stripe knows an account. */
export async function exportStripeCustomer(db: Database, accountId: number): Promise<AccountData> {
  return {
    stripeCustomer: await db
      .select(readableColumns(stripeCustomers, 'requestKey'))
      .from(stripeCustomers)
      .where(eq(stripeCustomers.customer, String(accountId))),
  }
}
