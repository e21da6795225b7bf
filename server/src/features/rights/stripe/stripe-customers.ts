import { randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, notExists, or, sql } from 'drizzle-orm'
import { Stripe } from 'stripe'
import type { Database } from '../../../database/connection.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { payments } from '../payments/payments.table.ts'
import { stripeCustomers } from './stripe.table.ts'
import { ask, isKeptFailure } from './stripe-errors.ts'

/** How long after the expiry of a payment its money may still arrive, in milliseconds (`orders/order-jobs.ts`). */
const AFTERWARDS_MS = 24 * 3_600_000

/** Returns the Stripe id of a customer. The first call creates the customer; concurrent calls create only one. */
export async function stripeCustomerOf(db: Database, stripe: Stripe, customer: string): Promise<string> {
  await db.insert(stripeCustomers).values({ customer, requestKey: randomUUID() }).onConflictDoNothing()
  const row = await find(db, customer)
  if (row.stripeId !== null) return row.stripeId
  const stripeId = await createCustomer(db, stripe, row)
  await db
    .update(stripeCustomers)
    .set({ stripeId })
    .where(and(eq(stripeCustomers.customer, customer), isNull(stripeCustomers.stripeId)))
  return (await find(db, customer)).stripeId ?? stripeId
}

/** Returns the customer with this Stripe id; undefined for a customer of another service. */
export async function customerOfStripe(db: Database, stripeId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ customer: stripeCustomers.customer })
    .from(stripeCustomers)
    .where(eq(stripeCustomers.stripeId, stripeId))
  return row?.customer
}

/** Creates a customer at Stripe. @returns the Stripe id */
async function createCustomer(
  db: Database,
  stripe: Stripe,
  { customer, requestKey }: typeof stripeCustomers.$inferSelect,
): Promise<string> {
  try {
    const { id } = await ask(
      async () =>
        await stripe.customers.create({ metadata: { account: customer } }, { idempotencyKey: requestKey }),
    )
    return id
  } catch (error) {
    if (isKeptFailure(error))
      await db
        .update(stripeCustomers)
        .set({ requestKey: randomUUID() })
        .where(
          and(
            eq(stripeCustomers.customer, customer),
            // A concurrent request may have renewed the key, or created the customer.
            eq(stripeCustomers.requestKey, requestKey),
            isNull(stripeCustomers.stripeId),
          ),
        )
    throw error
  }
}

/**
 * Deletes the Stripe customers of deleted accounts, with their cards. Stripe keeps the payments of these
 * customers. Customers whose payments may still receive money or need a refund are not deleted yet. If a call is
 * interrupted, the next call continues.
 *
 * @param now milliseconds since the Unix epoch
 * @returns the number of deleted customers
 * @throws ProviderSilent if Stripe does not answer
 */
export async function forgetStripeCustomers(
  { db, stripe, now }: { db: Database; stripe: Stripe; now: number },
  signal?: AbortSignal,
): Promise<number> {
  const isOnItsWay = db
    .select({ one: sql`1` })
    .from(payments)
    .where(
      and(
        eq(payments.accountId, accounts.id),
        or(
          eq(payments.state, 'refundDue'),
          // If the customer abandons the page, the payment stays open forever. So an open payment counts only as
          // long as its money can arrive.
          and(eq(payments.state, 'open'), gt(payments.expiresAt, now - AFTERWARDS_MS)),
        ),
      ),
    )
  const gone = await db
    .select({ customer: stripeCustomers.customer, stripeId: stripeCustomers.stripeId })
    .from(stripeCustomers)
    .leftJoin(accounts, eq(sql`${accounts.id}::text`, stripeCustomers.customer))
    .where(or(isNull(accounts.id), and(eq(accounts.status, 'ARCHIVED'), notExists(isOnItsWay))))
  for (const { customer, stripeId } of gone) {
    signal?.throwIfAborted()
    if (stripeId !== null) await deleteCustomer(stripe, stripeId)
    await db.delete(stripeCustomers).where(eq(stripeCustomers.customer, customer))
  }
  return gone.length
}

async function deleteCustomer(stripe: Stripe, id: string): Promise<void> {
  try {
    await ask(async () => await stripe.customers.del(id))
  } catch (error) {
    // The customer was already deleted, by an interrupted call or by hand.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'))
      throw error
  }
}

async function find(db: Database, customer: string): Promise<typeof stripeCustomers.$inferSelect> {
  const [row] = await db.select().from(stripeCustomers).where(eq(stripeCustomers.customer, customer))
  if (!row) throw new Error('The customer was not stored.')
  return row
}
