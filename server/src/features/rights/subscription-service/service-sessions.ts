import { eq } from 'drizzle-orm'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { holdAccount, isOpen, requireOpenAccount } from '../../people/accounts/accounts.service.ts'
import { serviceCustomers } from './subscription-service.table.ts'
import { type ServiceSession, ServiceSilent, type SubscriptionService } from './subscription-service.ts'

/** Dependencies of calls to the subscription service. */
export interface ServiceParts {
  db: Database
  clock: Clock
  service: SubscriptionService
  /** Default country for accounts whose address has no country. */
  country: string
}

/**
 * Interval between queries while a purchase or a renewal can be missing in the service's response, in
 * milliseconds.
 */
export const SOON_MS = 5 * 60_000

/**
 * How long after the opening of a checkout a purchase can be missing in the service's response, in milliseconds.
 */
const PURCHASE_MS = 3_600_000

/**
 * Signs an account in at the subscription service. The first sign-in links the account to a customer of the
 * service.
 *
 * @throws ServiceError subscriptionServiceSilent; subscriptionOfAnother if the customer is linked to another
 * account
 */
export async function openServiceSession(
  { db, clock, service, ...parts }: ServiceParts,
  accountId: number,
  ip?: string,
): Promise<ServiceSession> {
  const account = await requireOpenAccount(db, accountId)
  const known = await findCustomer(db, accountId)
  const email = known?.email ?? account.email
  const country = account.addressCountry || parts.country
  const session = await orSilent(
    async () => await service.openSession({ email, accountId, language: account.language, country, ip }),
  )
  const { customerId } = session
  if (known === undefined)
    await db.transaction(async (tx) => {
      // The account may have been deleted in the meantime. A deleted account must not be linked to a customer.
      const held = await holdAccount(tx, accountId)
      if (!held || !isOpen(held)) throw new ServiceError('tokenInvalid')
      await tx
        .insert(serviceCustomers)
        .values({ accountId, customerId, email, checkAt: clock.now() + SOON_MS })
        .onConflictDoNothing()
    })
  const tied = known ?? (await findCustomer(db, accountId))
  if (tied?.customerId !== customerId) throw new ServiceError('subscriptionOfAnother')
  return session
}

/** Schedules frequent queries for an hour after a checkout was opened, because the account may buy something. */
export async function expectPurchase({ db, clock }: ServiceParts, accountId: number): Promise<void> {
  const now = clock.now()
  await db
    .update(serviceCustomers)
    .set({ checkAt: now + SOON_MS, purchaseExpectedUntil: now + PURCHASE_MS })
    .where(eq(serviceCustomers.accountId, accountId))
}

export async function findCustomer(db: Database, accountId: number) {
  const [row] = await db.select().from(serviceCustomers).where(eq(serviceCustomers.accountId, accountId))
  return row
}

/** Calls the service. @throws ServiceError subscriptionServiceSilent if the service gives no usable response */
export async function orSilent<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ServiceSilent)
      throw new ServiceError('subscriptionServiceSilent', null, { cause: error })
    throw error
  }
}
