import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { type STRIPE_WAYS, stripePayments } from './stripe.table.ts'

/** Local record of a payment at Stripe. */
export type StripePayment = typeof stripePayments.$inferSelect

export type StripeWay = (typeof STRIPE_WAYS)[number]

export async function findStripePayment(db: Database, key: string): Promise<StripePayment | undefined> {
  const [row] = await db.select().from(stripePayments).where(eq(stripePayments.key, key))
  return row
}

/** Returns the payment with this key. Creates it with `way` if it is missing. */
export async function requireStripePayment(
  db: Database,
  { key, expiresAt }: { key: string; expiresAt: number },
  way: StripeWay,
): Promise<StripePayment> {
  await db.insert(stripePayments).values({ key, way, expiresAt }).onConflictDoNothing()
  const row = await findStripePayment(db, key)
  if (!row) throw new Error('The payment was not stored.')
  return row
}

/**
 * Changes a payment, unless another request has increased its `turn` since the payment was read.
 *
 * @returns the changed payment; undefined if its `turn` was increased
 */
export async function changeStripePayment(
  db: Database,
  { key, turn }: StripePayment,
  changes: Partial<StripePayment>,
): Promise<StripePayment | undefined> {
  const [row] = await db
    .update(stripePayments)
    .set(changes)
    .where(and(eq(stripePayments.key, key), eq(stripePayments.turn, turn)))
    .returning()
  return row
}
