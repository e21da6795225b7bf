import { randomUUID } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import type { Stripe } from 'stripe'
import type { Database } from '../../database/connection.ts'
import { stripeCustomers } from './stripe.table.ts'
import { ask } from './stripe-errors.ts'

/** The id at Stripe of a customer, who is made there when asked for the first time; by several at once, once. */
export async function stripeCustomerOf(db: Database, stripe: Stripe, customer: string): Promise<string> {
  await db.insert(stripeCustomers).values({ customer, requestKey: randomUUID() }).onConflictDoNothing()
  const row = await find(db, customer)
  if (row.stripeId !== null) return row.stripeId
  const { id: stripeId } = await ask(
    async () =>
      await stripe.customers.create({ metadata: { account: customer } }, { idempotencyKey: row.requestKey }),
  )
  await db
    .update(stripeCustomers)
    .set({ stripeId })
    .where(and(eq(stripeCustomers.customer, customer), isNull(stripeCustomers.stripeId)))
  return (await find(db, customer)).stripeId ?? stripeId
}

async function find(db: Database, customer: string): Promise<typeof stripeCustomers.$inferSelect> {
  const [row] = await db.select().from(stripeCustomers).where(eq(stripeCustomers.customer, customer))
  if (!row) throw new Error('The customer was not stored.')
  return row
}
