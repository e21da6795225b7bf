import { isDeepStrictEqual } from 'node:util'
import { bundledLanguage, DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
import { and, desc, eq, getTableColumns, isNull, notInArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { holdAccount, isOpen } from '../../people/accounts/accounts.service.ts'
import { bookRefund } from './ledger.service.ts'
import type { ListedMethod, PaymentProvider, PaymentRequest, ProviderPayment } from './payment-provider.ts'
import { paymentMethods, payments } from './payments.table.ts'

export type Payment = typeof payments.$inferSelect
export type SavedMethod = typeof paymentMethods.$inferSelect

/**
 * Longest time from the order to the expiry of its payment, in milliseconds. Stripe keeps a payment page open for at
 * most 24 hours, and `StripeProvider` adds half an hour.
 */
export const LONGEST_PAYMENT_MS = 23 * 3_600_000

/** How often the cards of a customer may change while a notice about them is handled. */
const MOST_CARD_CHANGES = 5

/** Smallest amount that every provider charges, in cents. Stripe refuses less. */
const LEAST_CENTS = 50

/** Returns the amount to charge of an amount that is left to pay, in cents. Less than 50 cents are waived. */
export function chargeable(cents: number): number {
  return cents < LEAST_CENTS ? 0 : cents
}

/** The enabled providers, by name. */
export type PaymentProviders = ReadonlyMap<string, PaymentProvider>

/**
 * Returns the provider of a payment; undefined if the provider is switched off. A payment of such a provider
 * cannot be queried.
 */
function providerOf(
  providers: PaymentProviders,
  { provider }: Pick<Payment, 'provider'>,
): PaymentProvider | undefined {
  return providers.get(provider)
}

/** A payment that has changed at its provider. */
export interface ChangedPayment {
  paymentId: number
  /** Whether the customer disputes the payment at the bank (a chargeback). */
  isDispute: boolean
}

export async function findPayment(db: Database | Transaction, id: number): Promise<Payment | undefined> {
  const [row] = await db.select().from(payments).where(eq(payments.id, id))
  return row
}

export async function findPaymentByKey(db: Database, key: string): Promise<Payment | undefined> {
  const [row] = await db.select().from(payments).where(eq(payments.key, key))
  return row
}

/** Returns the request to the provider for a payment. @param origin scheme and host of this site */
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
 * A payment and its state at the provider. `known` is undefined if the provider does not know the payment or was
 * not queried.
 */
export interface QueriedPayment {
  payment: Payment
  known: ProviderPayment | undefined
}

/** A payment that has succeeded at its provider. */
interface Success {
  payment: Payment
  known: Extract<ProviderPayment, { state: 'succeeded' }>
}

/**
 * Stores the final states that providers report for payments that are open here. The caller must lock the rows of
 * the payments first, so that each state is stored only once. The caller must also book the money.
 *
 * @returns the changed payments, by id
 */
export async function takeOutcomes(
  tx: Transaction,
  heard: readonly QueriedPayment[],
): Promise<Map<number, Payment>> {
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

/** Returns whether the provider received money for a payment. A payment of 0 cents only saved a card. */
export function isReceived({ state, cents }: Payment): boolean {
  return state === 'succeeded' && cents > 0
}

/**
 * Marks a succeeded payment as due for a refund, even if the payment paid for a sale. {@link refund} makes the
 * refund. A payment of 0 cents stays unchanged.
 */
export async function oweRefund(tx: Transaction, payment: Payment): Promise<Payment> {
  return isReceived(payment) ? await change(tx, payment, { state: 'refundDue' }) : payment
}

interface RefundParts {
  db: Database
  providers: PaymentProviders
  /** Called in the transaction that books the refund. */
  onRefunded(tx: Transaction, payment: Payment): Promise<void>
}

/**
 * Refunds a payment that is due for a refund. Can be repeated after any interruption, because the provider refunds
 * a payment only once.
 */
export async function refund(
  { db, providers, onRefunded }: RefundParts,
  payment: Payment,
  now: number,
): Promise<void> {
  const provider = providerOf(providers, payment)
  if (provider === undefined) return
  await provider.refund(payment.key)
  // A credit note locks the row of its account. Other transactions lock the account first and then the
  // payment, so a deadlock is possible.
  await retryOnDeadlock(
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

/** Locks a payment until the transaction ends. @returns the payment, if it exists */
export async function holdPayment(tx: Transaction, id: number): Promise<Payment | undefined> {
  return (await holdPayments(tx, [id])).get(id)
}

/** Locks many payments, as {@link holdPayment} does. @returns the payments by id */
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
 * Marks payments as succeeded and saves their cards, in one statement. A card that is already saved for another
 * account is not changed, because each card reference of a provider belongs to one account.
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

/**
 * Returns the cards of succeeded payments. Two payments with the same card give one row, because a statement can
 * change a row only once.
 */
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

/**
 * Returns the statement that saves cards. The statement returns only the cards that belong to the account of the
 * payment.
 */
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
          removedAt: null,
        },
        setWhere: eq(accountId, sql`excluded.account_id`),
      })
      .returning({ id, accountId, provider, reference }),
  )
}

/** Cards of an account at a provider. */
interface ProviderCards {
  provider: string
  accountId: number
  /** All cards that the provider has saved for the account. */
  cards: readonly ListedMethod[]
  /** Milliseconds since the Unix epoch. */
  now: number
}

/**
 * Takes over the cards of a customer who has changed them at the provider. Then reads them again, and repeats if they
 * have changed meanwhile: a concurrent call, also in another process, may have stored a newer list before this one.
 *
 * @param customer id of the account
 * @throws Error if they change all the time. The provider then sends its notice again.
 */
export async function followCards(
  db: Database,
  { provider, customer, now }: { provider: PaymentProvider; customer: string; now: number },
): Promise<void> {
  const accountId = Number(customer)
  let stored: readonly ListedMethod[] | undefined
  for (let read = 0; read <= MOST_CARD_CHANGES; read++) {
    const listed = (await provider.cardsOf?.(customer)) ?? []
    const cards = listed.toSorted((a, b) => (a.reference < b.reference ? -1 : 1))
    if (isDeepStrictEqual(cards, stored)) return
    await takeCards(db, { provider: provider.name, accountId, cards, now })
    stored = cards
  }
  throw new Error(`The cards of the account ${customer} at ${provider.name} change all the time.`)
}

/**
 * Stores the cards of an account as its provider lists them: adds new cards, updates
 * known cards, and marks missing cards as removed. The cards of a closed account are not saved.
 */
async function takeCards(db: Database, { provider, accountId, cards, now }: ProviderCards): Promise<void> {
  await db.transaction(async (tx) => {
    const account = await holdAccount(tx, accountId)
    if (!account || !isOpen(account)) return
    const { reference } = paymentMethods
    await tx
      .update(paymentMethods)
      .set({ removedAt: now })
      .where(
        and(
          eq(paymentMethods.accountId, accountId),
          eq(paymentMethods.provider, provider),
          isNull(paymentMethods.removedAt),
          notInArray(
            reference,
            cards.map((card) => card.reference),
          ),
        ),
      )
    if (cards.length === 0) return
    await tx
      .insert(paymentMethods)
      // A card that the customer has just added is charged before older cards.
      .values(cards.map(({ savedAt, ...card }) => ({ ...card, provider, accountId, lastUsedAt: savedAt })))
      .onConflictDoUpdate({
        target: [paymentMethods.provider, reference],
        // A bank that replaces a card changes its number, too.
        set: {
          brand: sql`excluded.brand`,
          lastDigits: sql`excluded.last_digits`,
          expiresAt: sql`excluded.expires_at`,
          removedAt: null,
        },
        setWhere: eq(paymentMethods.accountId, accountId),
      })
  })
}

/** Returns the saved cards of an account, the most recently used first. */
export async function savedMethods(db: Database | Transaction, accountId: number): Promise<SavedMethod[]> {
  return await db
    .select()
    .from(paymentMethods)
    .where(and(eq(paymentMethods.accountId, accountId), isNull(paymentMethods.removedAt)))
    .orderBy(desc(paymentMethods.lastUsedAt), desc(paymentMethods.id))
    .prepare('saved_methods')
    .execute()
}

/** Returns the saved cards of many accounts, by account, the most recently used first. */
export async function savedMethodsOf(
  db: Database | Transaction,
  accountIds: readonly number[],
): Promise<Map<number, SavedMethod[]>> {
  const rows = await db
    .select()
    .from(paymentMethods)
    .where(and(oneOf(paymentMethods.accountId, accountIds), isNull(paymentMethods.removedAt)))
    .orderBy(desc(paymentMethods.lastUsedAt), desc(paymentMethods.id))
    .prepare('saved_methods_of')
    .execute()
  return Map.groupBy(rows, ({ accountId }) => accountId)
}

/** Thrown when the provider does not answer. It is unknown whether the provider has executed the request. */
export class ProviderSilent extends Error {
  override name = 'ProviderSilent'
}

/** Returns the path to which a provider sends its notices (webhooks). */
export function noticePathOf(provider: string): string {
  return `/payments/${provider}/notices`
}

/**
 * Returns the SQL statement that stores payments. The caller runs the statement, or makes it part of another
 * statement.
 */
export function insertPayments(tx: Transaction, rows: readonly (typeof payments.$inferInsert)[]) {
  return tx
    .insert(payments)
    .values([...rows])
    .returning()
}

/**
 * Removes the saved cards of a deleted account. The payments of the account stay, because accounting must keep
 * them.
 */
export async function forgetMethods(tx: Transaction, accountId: number): Promise<void> {
  await tx.update(payments).set({ methodId: null }).where(eq(payments.accountId, accountId))
  await tx.delete(paymentMethods).where(eq(paymentMethods.accountId, accountId))
}
