import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { serviceCustomers, serviceSubscriptions } from './subscription-service.table.ts'

/** Reads the customer of an account at the subscription service, and the subscriptions there. */
export async function exportServiceCustomer(db: Database, accountId: number): Promise<AccountData> {
  return {
    serviceCustomer: await db
      .select(readableColumns(serviceCustomers))
      .from(serviceCustomers)
      .where(eq(serviceCustomers.accountId, accountId)),
    serviceSubscriptions: await db
      .select(readableColumns(serviceSubscriptions))
      .from(serviceSubscriptions)
      .where(eq(serviceSubscriptions.accountId, accountId))
      .orderBy(serviceSubscriptions.id),
  }
}
