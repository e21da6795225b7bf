import { bundledLanguage, DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import { desc, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { despiteDeadlock } from '../../database/despite-deadlock.ts'
import { oneOf } from '../../database/one-of.ts'
import { bookRefund } from './ledger.ts'
import type { PaymentProvider, PaymentRequest, ProviderPayment } from './payment-provider.ts'
import { paymentMethods, payments } from './payments.table.ts'

export type Payment = typeof payments.$inferSelect
export type SavedMethod = typeof paymentMethods.$inferSelect

/** The providers that are switched on, by name. */
export type PaymentProviders = ReadonlyMap<string, PaymentProvider>

/** The provider of a payment. One that was switched off since has to be switched on again before its money can be found. */
export function providerOf(
  providers: PaymentProviders,
  { provider }: Pick<Payment, 'provider'>,
): PaymentProvider | undefined {
  return providers.get(provider)
}

export async function findPayment(db: Database | Transaction, id: number): Promise<Payment | undefined> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id))
  return row
}

export async function findPaymentByKey(db: Database, key: string): Promise<Payment | undefined> {
  const [row] = await db.select().from(payments).where(eq(payments.key, key))
  return row
}

/** A payment as its provider is asked for it. @param origin scheme and host of this site */
export function requestOf(payment: Payment, origin: string): PaymentRequest {
  const { key, cents, description, returnUrl, expiresAt, accountId } = payment
  return {
    key,
    cents,
    description,
    language: languageOf(payment),
    returnUrl,
    expiresAt,
    customer: String(accountId),
    origin,
  }
}

function languageOf({ language }: Payment): Language {
  return isLanguage(language) ? bundledLanguage(language) : DEFAULT_LANGUAGE
}

/** A payment, and what its provider says of it. */
export interface Heard {
  payment: Payment
  known: ProviderPayment | undefined
}

/** A payment that has succeeded, by what its provider says. */
interface Success {
  payment: Payment
  known: Extract<ProviderPayment, { state: 'succeeded' }>
}

/**
 * Takes over what providers say of payments that are open here. The caller holds the rows of the payments, so that each is taken over
 * once, and books what was received.
 *
 * @returns the payments that have changed, by id
 */
export async function takeOutcomes(tx: Transaction, heard: readonly Heard[]): Promise<Map<number, Payment>> {
  const succeeded: Success[] = []
  const changed = new Map<number, Payment>()
  for (const { payment, known } of heard) {
    if (payment.state !== 'open') continue
    if (known?.state === 'failed') changed.set(payment.id, await change(tx, payment, { state: 'failed' }))
    if (known?.state === 'succeeded') succeeded.push({ payment, known })
  }
  for (const payment of await succeed(tx, succeeded)) changed.set(payment.id, payment)
  return changed
}

/** Whether a payment moved money to its provider. One of 0 cents has saved a card. */
export function isReceived({ state, cents }: Payment): boolean {
  return state === 'succeeded' && cents > 0
}

/** A payment that has succeeded goes back, with what was sold for it or without. {@link refund} carries it out. One of 0 cents stays. */
export async function oweRefund(tx: Transaction, payment: Payment): Promise<Payment> {
  return isReceived(payment) ? await change(tx, payment, { state: 'refundDue' }) : payment
}

interface RefundParts {
  db: Database
  providers: PaymentProviders
  /** Called in the transaction in which a refund is booked. */
  onRefunded(tx: Transaction, payment: Payment): Promise<void>
}

/** Gives a payment back that is due. Interrupted anywhere, it can be called again: the provider gives one key back once. */
export async function refund(
  { db, providers, onRefunded }: RefundParts,
  payment: Payment,
  now: number,
): Promise<void> {
  const provider = providerOf(providers, payment)
  if (provider === undefined) return
  await provider.refund(payment.key)
  // A credit note refers to its order, which others hold before the payment.
  await despiteDeadlock(
    async () =>
      await db.transaction(async (tx) => {
        const held = await holdPayment(tx, payment.id)
        if (held?.state !== 'refundDue') return
        await bookRefund(tx, { paymentId: held.id, cents: held.cents, at: now })
        await change(tx, held, { state: 'refunded' })
        await onRefunded(tx, held)
      }),
  )
}

/** A payment, which nobody else changes until the transaction ends. */
export async function holdPayment(tx: Transaction, id: number): Promise<Payment | undefined> {
  return (await holdPayments(tx, [id])).get(id)
}

/** As {@link holdPayment}, for many. @returns the payments by id */
export async function holdPayments(tx: Transaction, ids: readonly number[]): Promise<Map<number, Payment>> {
  if (ids.length === 0) return new Map()
  const rows = await tx
    .select()
    .from(payments)
    .where(oneOf(payments.id, ids))
    .orderBy(payments.id)
    .for('update')
    .prepare('hold_payments')
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function change(tx: Transaction, payment: Payment, changes: Partial<Payment>): Promise<Payment> {
  await tx.update(payments).set(changes).where(eq(payments.id, payment.id))
  return { ...payment, ...changes }
}

/**
 * Notes that payments have succeeded, and keeps the cards that have paid, in one statement. A provider's reference is of one account: one
 * that is known under another is left alone.
 */
async function succeed(tx: Transaction, succeeded: readonly Success[]): Promise<Payment[]> {
  if (succeeded.length === 0) return []
  const outcomes = succeeded.map(
    ({ payment: { id }, known: { paidAt, method } }) =>
      sql`(${id}::integer, ${method?.reference ?? null}::text, ${new Date(paidAt).toISOString()}::timestamptz)`,
  )
  const cards = cardsOf(succeeded)
  const kept = cards.length === 0 ? undefined : keptMethods(tx, cards)
  const methodId =
    kept &&
    sql`(select ${kept.id} from ${kept} where ${kept.reference} = outcome.reference
      and ${kept.provider} = ${payments.provider} and ${kept.accountId} = ${payments.accountId})`
  return await (kept ? tx.with(kept) : tx)
    .update(payments)
    .set({ state: 'succeeded', paidAt: sql`outcome.paid_at`, methodId: methodId ?? null })
    .from(sql`(values ${sql.join(outcomes, sql`, `)}) as outcome (id, reference, paid_at)`)
    .where(sql`${payments.id} = outcome.id`)
    .returning(getTableColumns(payments))
}

/** The cards that have paid. Two payments of one card are one row: a statement changes a row once. */
function cardsOf(succeeded: readonly Success[]): (typeof paymentMethods.$inferInsert)[] {
  const cards = new Map<string, typeof paymentMethods.$inferInsert>()
  for (const { payment, known } of succeeded) {
    if (known.method === null) continue
    const { accountId, provider } = payment
    const key = `${provider} ${known.method.reference}`
    if (!cards.has(key)) cards.set(key, { ...known.method, accountId, provider, lastUsedAt: known.paidAt })
  }
  return [...cards.values()]
}

/** The statement that keeps cards, and gives back those of their own accounts. */
function keptMethods(tx: Transaction, cards: readonly (typeof paymentMethods.$inferInsert)[]) {
  const { provider, reference, accountId, id } = paymentMethods
  return tx.$with('kept').as(
    tx
      .insert(paymentMethods)
      .values([...cards])
      .onConflictDoUpdate({
        target: [provider, reference],
        set: {
          lastUsedAt: sql`greatest(${paymentMethods.lastUsedAt}, excluded.last_used_at)`,
          expiresAt: sql`excluded.expires_at`,
        },
        setWhere: eq(accountId, sql`excluded.account_id`),
      })
      .returning({ id, accountId, provider, reference }),
  )
}

/** The saved cards of an account, the last used first. */
export async function savedMethods(db: Database | Transaction, accountId: number): Promise<SavedMethod[]> {
  return await db
    .select()
    .from(paymentMethods)
    .where(eq(paymentMethods.accountId, accountId))
    .orderBy(desc(paymentMethods.lastUsedAt), desc(paymentMethods.id))
    .prepare('saved_methods')
    .execute()
}

/** As {@link savedMethods}, for many accounts. @returns the cards by account */
export async function savedMethodsOf(
  db: Database | Transaction,
  accountIds: readonly number[],
): Promise<Map<number, SavedMethod[]>> {
  const rows = await db
    .select()
    .from(paymentMethods)
    .where(oneOf(paymentMethods.accountId, accountIds))
    .orderBy(desc(paymentMethods.lastUsedAt), desc(paymentMethods.id))
    .prepare('saved_methods_of')
    .execute()
  return Map.groupBy(rows, ({ accountId }) => accountId)
}
