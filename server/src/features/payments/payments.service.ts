import { bundledLanguage, DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import { desc, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import { bookPayment, bookRefund } from './ledger.ts'
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

/**
 * Takes over what the provider says of a payment that is open here. Whoever calls it holds the payment's row, so that it is
 * taken over once.
 *
 * @returns the payment as it is then
 */
export async function takeOutcome(
  tx: Transaction,
  payment: Payment,
  known: ProviderPayment | undefined,
  now: number,
): Promise<Payment> {
  if (payment.state !== 'open' || known === undefined) return payment
  if (known.state === 'failed') return await change(tx, payment, { state: 'failed' })
  if (known.state !== 'succeeded') return payment
  if (payment.cents > 0) await bookPayment(tx, { paymentId: payment.id, cents: payment.cents, at: now })
  return await succeed(tx, payment, known)
}

/** A payment that has succeeded goes back, with what was sold for it or without. {@link refund} carries it out. One of 0 cents stays. */
export async function oweRefund(tx: Transaction, payment: Payment): Promise<Payment> {
  return payment.state === 'succeeded' && payment.cents > 0
    ? await change(tx, payment, { state: 'refundDue' })
    : payment
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
  await db.transaction(async (tx) => {
    const held = await holdPayment(tx, payment.id)
    if (held?.state !== 'refundDue') return
    await bookRefund(tx, { paymentId: held.id, cents: held.cents, at: now })
    await change(tx, held, { state: 'refunded' })
    await onRefunded(tx, held)
  })
}

/** A payment, which nobody else changes until the transaction ends. */
export async function holdPayment(tx: Transaction, id: number): Promise<Payment | undefined> {
  const [row] = await tx
    .select()
    .from(payments)
    .where(eq(payments.id, id))
    .for('update')
    .prepare('hold_payment')
    .execute()
  return row
}

async function change(tx: Transaction, payment: Payment, changes: Partial<Payment>): Promise<Payment> {
  await tx.update(payments).set(changes).where(eq(payments.id, payment.id))
  return { ...payment, ...changes }
}

/**
 * Notes that a payment has succeeded, and keeps the card that has paid. A provider's reference is of one account: one that is known under
 * another is left alone.
 */
async function succeed(
  tx: Transaction,
  payment: Payment,
  { paidAt, method }: Extract<ProviderPayment, { state: 'succeeded' }>,
): Promise<Payment> {
  if (method === null) return await change(tx, payment, { state: 'succeeded', paidAt })
  const { accountId, provider } = payment
  const { reference, brand, lastDigits, expiresAt } = method
  const kept = tx.$with('kept').as(
    tx
      .insert(paymentMethods)
      .values({ accountId, provider, reference, brand, lastDigits, expiresAt, lastUsedAt: paidAt })
      .onConflictDoUpdate({
        target: [paymentMethods.provider, paymentMethods.reference],
        set: { lastUsedAt: paidAt, expiresAt },
        setWhere: eq(paymentMethods.accountId, accountId),
      })
      .returning({ id: paymentMethods.id }),
  )
  const [row] = await tx
    .with(kept)
    .update(payments)
    .set({ state: 'succeeded', paidAt, methodId: sql`(select ${kept.id} from ${kept})` })
    .where(eq(payments.id, payment.id))
    .returning()
  if (!row) throw new Error(`There is no payment ${payment.id}.`)
  return row
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
