import { randomBytes } from 'node:crypto'
import { DEFAULT_BILLING_PROVIDER } from '@ondine/contract/orders'
import { and, asc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { Database } from '../../../database/connection.ts'
import { inSlices } from '../../../database/in-slices.ts'
import {
  type PaymentProvider,
  type PaymentRequest,
  type ProviderBook,
  type ProviderPayment,
  type ReceivedNotice,
  type VerifiedNotice,
} from '../payments/payment-provider.ts'
import { ProviderSilent } from '../payments/payments.service.ts'
import {
  type NoticeMode,
  sandboxCards,
  sandboxMerchants,
  sandboxNotices,
  sandboxPayments,
} from './sandbox.table.ts'
import { cardOf, lastDigitsOf, type SandboxCard } from './sandbox-cards.ts'
import { isSigned, SIGNATURE_HEADER, signNotice } from './sandbox-signature.ts'

/** A payment at the bank. */
export type SandboxPayment = typeof sandboxPayments.$inferSelect
/** A card that is saved at the bank. */
type SavedCard = typeof sandboxCards.$inferSelect

/** How long the bank of a card with the behaviour `answersLate` takes to answer, in milliseconds. */
const ANSWERS_AFTER_MS = 30_000
/** Delay of a late notice, in milliseconds. */
const LATE_MS = 60_000
/** Maximum number of attempts to deliver a notice. The wait doubles after each attempt. */
const MOST_TRIES = 8
const AGAIN_MS = 30_000
const DAY_MS = 86_400_000
/** Maximum number of notices that one run sends, and of payments that it settles. */
const SLICE = 50
/** Id of the only merchant. */
const MERCHANT = 1

/** Path of the bank's pages. */
export const SANDBOX_PATH = '/sandbox-payments'

/** Delivers a notice to the merchant. @returns whether the merchant received it */
export type SendNotice = (body: string, headers: Record<string, string>) => Promise<boolean>

/** A charge of a saved card. */
interface Charge {
  request: PaymentRequest
  methodReference: string
}

/** Form fields that a customer submits on the page of a payment. */
export interface PageInput {
  number: string
  notices: NoticeMode
}

/**
 * A test bank with its own books. No money moves. Like a real payment provider, it can be slow, fail to answer, or
 * repeat notices. Only the result of {@link SandboxBank.query} is reliable.
 */
export class SandboxBank implements PaymentProvider {
  readonly name = 'sandbox'
  readonly brandBillingProviderId = DEFAULT_BILLING_PROVIDER
  readonly #db: Database
  readonly #clock: Clock
  readonly #onNotice: () => Promise<void>
  readonly #charge: (charge: Charge) => Promise<ProviderPayment>
  #noticeSecret: string | undefined

  /** @param onNotice called when a payment has new notices to send */
  constructor(
    { db, clock, log }: { db: Database; clock: Clock; log: Pick<FastifyBaseLogger, 'warn'> },
    onNotice: () => Promise<void>,
  ) {
    this.#db = db
    this.#clock = clock
    this.#onNotice = onNotice
    this.#charge = inSlices({ log, together: async (charges) => await this.#chargeAll(charges) })
  }

  async start(request: PaymentRequest): Promise<ProviderPayment> {
    return await this.#answer(await this.#open(request))
  }

  /** Charges a saved card. Concurrent charges share their statements (docs/decisions/0066). */
  async charge(request: PaymentRequest, methodReference: string): Promise<ProviderPayment> {
    return await this.#charge({ request, methodReference })
  }

  async refund(key: string): Promise<void> {
    await this.#db
      .update(sandboxPayments)
      .set({ state: 'refunded' })
      .where(and(eq(sandboxPayments.key, key), eq(sandboxPayments.state, 'succeeded')))
    const payment = await this.#known(key)
    if (payment?.state !== 'refunded') throw new Error(`Payment ${key} cannot be refunded.`)
  }

  async query(key: string): Promise<ProviderPayment | undefined> {
    const payment = await this.#known(key)
    return payment && (await this.#answer(payment))
  }

  async bookOf(key: string): Promise<ProviderBook | undefined> {
    const [payment] = await this.#db.select().from(sandboxPayments).where(eq(sandboxPayments.key, key))
    if (!payment) return undefined
    const { state, cents } = payment
    return {
      received: state === 'succeeded' || state === 'refunded' ? cents : 0,
      refunded: state === 'refunded' ? cents : 0,
      isTakenBack: false,
    }
  }

  async verifyNotice({ headers, body }: ReceivedNotice, now: number): Promise<VerifiedNotice | undefined> {
    const signature = headers[SIGNATURE_HEADER]
    if (typeof signature !== 'string') return undefined
    if (!isSigned(body, await this.#secret(), signature, now)) return undefined
    // Only the bank has the secret, so a body with a valid signature has the format that `sendNotices` writes.
    const { payment: key } = JSON.parse(body) as { payment: string }
    return { key, isDispute: false }
  }

  /** Returns the payment whose page has this token in its address. */
  async ofToken(token: string): Promise<SandboxPayment | undefined> {
    const [payment] = await this.#db.select().from(sandboxPayments).where(eq(sandboxPayments.token, token))
    return payment && (await this.#settle(payment))
  }

  /**
   * Applies the card that the customer chose on the page. Changes nothing if the payment is paid, failed or
   * expired.
   */
  async show(token: string, { number, notices }: PageInput): Promise<void> {
    const card = cardOf(number)
    if (card) await this.#move(token, { ...outcomeOf(card, this.#clock.now()), notices })
  }

  /** Confirms the payment with the card that the customer chose. */
  async confirm(token: string): Promise<void> {
    await this.#move(token, { state: 'succeeded', needsConfirmation: false, paidAt: this.#clock.now() }, true)
  }

  /** Cancels a payment at the customer's request. */
  async cancel(token: string): Promise<void> {
    await this.#move(token, { state: 'failed' })
  }

  /** Sends the notices that are due, the oldest first. @returns the number of attempts */
  async sendNotices(send: SendNotice): Promise<number> {
    await this.#settleAll()
    const now = this.#clock.now()
    const due = await this.#db
      .select({ notice: sandboxNotices, key: sandboxPayments.key })
      .from(sandboxNotices)
      .innerJoin(sandboxPayments, eq(sandboxNotices.paymentId, sandboxPayments.id))
      .where(and(isNull(sandboxNotices.doneAt), lte(sandboxNotices.dueAt, now)))
      .orderBy(asc(sandboxNotices.dueAt), asc(sandboxNotices.id))
      .limit(SLICE)
    const secret = due.length === 0 ? '' : await this.#secret()
    for (const { notice, key } of due) {
      const body = JSON.stringify({ id: notice.id, payment: key, state: notice.says })
      const isReceived = await send(body, {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: signNotice(body, secret, now),
      })
      const tries = notice.tries + 1
      const isDone = isReceived || tries === MOST_TRIES
      await this.#db
        .update(sandboxNotices)
        .set({ tries, doneAt: isDone ? now : null, dueAt: now + AGAIN_MS * 2 ** tries })
        .where(eq(sandboxNotices.id, notice.id))
    }
    return due.length
  }

  /** Charges several saved cards. One statement reads the cards, and another statement stores the payments. */
  async #chargeAll(charges: readonly Charge[]): Promise<(ProviderPayment | Error)[]> {
    const now = this.#clock.now()
    const cards = await this.#savedCards(charges.map(({ methodReference }) => methodReference))
    const decided = charges.map(({ request, methodReference }) => {
      const card = cards.get(methodReference)
      const saved = card?.customer === request.customer ? card : undefined
      const isExpired = (saved?.expiresAt ?? Number.POSITIVE_INFINITY) <= now
      const outcome = outcomeOfCharge(isExpired ? undefined : cardOf(saved?.number ?? ''), now)
      return { request, saved, outcome, row: paymentRow(request, outcome) }
    })
    // Write no notices here: the caller gets the result of the charge directly.
    const made = await this.#make(decided.flatMap(({ request, row }) => (request.expiresAt > now ? row : [])))
    const answers: (ProviderPayment | Error)[] = []
    for (const { request, saved, outcome, row } of decided) {
      const charged = made.get(row.token) ?? (await this.#chargeKnown(request, outcome))
      answers.push(
        charged.state === 'processing'
          ? // The bank of the card answers late. It still charges the card.
            new ProviderSilent('The bank of the card does not answer.')
          : await this.#answer(charged, saved),
      )
    }
    return answers
  }

  /** Returns saved cards by their tokens. */
  async #savedCards(tokens: readonly string[]): Promise<Map<string, SavedCard>> {
    const cards = await this.#db
      .select()
      .from(sandboxCards)
      .where(sql`${sandboxCards.token} = any(${sql.param(tokens)}::text[])`)
      .prepare('sandbox_cards')
      .execute()
    return new Map(cards.map((card) => [card.token, card]))
  }

  /** Returns the payment with the key of the request. Creates the payment if the key is new. */
  async #open(request: PaymentRequest): Promise<SandboxPayment> {
    const row = paymentRow(request)
    const payment = (await this.#make([row])).get(row.token) ?? (await this.#known(request.key))
    if (!payment) throw new Error('The payment was not stored.')
    return payment
  }

  /** Stores new payments. Skips payments whose key is already stored. @returns the stored payments, by token */
  async #make(rows: readonly (typeof sandboxPayments.$inferInsert)[]): Promise<Map<string, SandboxPayment>> {
    if (rows.length === 0) return new Map()
    const made = await this.#db
      .insert(sandboxPayments)
      // Sorted by key, so that two processes that charge the same orders lock rows in the same order.
      .values(rows.toSorted((one, other) => one.key.localeCompare(other.key)))
      .onConflictDoNothing()
      .returning()
    return new Map(made.map((payment) => [payment.token, payment]))
  }

  /** Charges an existing payment if it is still open. @returns the payment after the charge */
  async #chargeKnown(request: PaymentRequest, outcome: Partial<SandboxPayment>): Promise<SandboxPayment> {
    const payment = await this.#open(request)
    return (await this.#move(payment.token, outcome)) ?? (await this.#known(payment.key)) ?? payment
  }

  async #known(key: string): Promise<SandboxPayment | undefined> {
    const [payment] = await this.#db.select().from(sandboxPayments).where(eq(sandboxPayments.key, key))
    return payment && (await this.#settle(payment))
  }

  /**
   * Returns the state of a payment in the form that {@link PaymentProvider} requires.
   *
   * @param saved the card of the payment, if the caller has already read it
   */
  async #answer(payment: SandboxPayment, saved?: SavedCard): Promise<ProviderPayment> {
    const { state, card, pageUrl, paidAt, customer } = payment
    switch (state) {
      case 'open':
        return { state, action: pageUrl }
      case 'processing':
      case 'failed':
        return { state }
      default: {
        const { token: reference, expiresAt } =
          saved?.number === card ? saved : await this.#keepCard(customer, card ?? '')
        const method = {
          reference,
          expiresAt,
          brand: cardOf(card ?? '')?.brand ?? '',
          lastDigits: lastDigitsOf(card ?? ''),
        }
        return { state: 'succeeded', paidAt: paidAt ?? 0, method }
      }
    }
  }

  /**
   * Changes an open payment. After one of two concurrent changes has closed the payment, the second has no effect.
   *
   * @returns the changed payment; undefined when the payment is not open, or has expired
   */
  async #move(
    token: string,
    changes: Partial<SandboxPayment>,
    needsConfirmation?: true,
  ): Promise<SandboxPayment | undefined> {
    const moved = await this.#change(
      and(
        eq(sandboxPayments.token, token),
        eq(sandboxPayments.state, 'open'),
        gt(sandboxPayments.expiresAt, this.#clock.now()),
        needsConfirmation && eq(sandboxPayments.needsConfirmation, true),
      ),
      changes,
    )
    if (moved && moved.state !== 'open' && moved.notices !== 'never') await this.#onNotice()
    return moved
  }

  /**
   * Changes a payment from `processing` to `succeeded` if the time of the bank's late answer has come.
   *
   * @returns the payment, changed or not
   */
  async #settle(payment: SandboxPayment): Promise<SandboxPayment> {
    const { id, state, answersAt } = payment
    if (state !== 'processing' || answersAt === null || answersAt > this.#clock.now()) return payment
    const settled = await this.#change(
      and(eq(sandboxPayments.id, id), eq(sandboxPayments.state, 'processing')),
      { state: 'succeeded', paidAt: answersAt },
    )
    // A concurrent call has settled the payment, with the same result.
    return settled ?? { ...payment, state: 'succeeded', paidAt: answersAt }
  }

  /**
   * Changes a payment, and stores its notices in the same statement.
   *
   * @returns the changed payment; undefined when no payment matches
   */
  async #change(
    which: SQL | undefined,
    changes: Partial<SandboxPayment>,
  ): Promise<SandboxPayment | undefined> {
    const now = this.#clock.now()
    const at = (moment: number) => sql`${new Date(moment).toISOString()}::timestamptz`
    const changed = this.#db
      .$with('changed')
      .as(this.#db.update(sandboxPayments).set(changes).where(which).returning())
    // The notices of each mode. Columns: the mode, the state that the notice reports (null for the actual state),
    // and the due time.
    const noted = this.#db.$with('noted', { id: sandboxNotices.id }).as(sql`
      insert into ${sandboxNotices} (payment_id, says, due_at)
      select ${changed.id}, coalesce(says, ${changed.state}), due_at from ${changed}
      join (values
        ('prompt', null::sandbox_state, ${at(now)}),
        ('late', null, ${at(now + LATE_MS)}),
        ('twice', null, ${at(now)}),
        ('twice', null, ${at(now)}),
        ('reordered', null, ${at(now)}),
        ('reordered', 'open', ${at(now)})
      ) as notice (mode, says, due_at) on mode = ${changed.notices}
      where ${changed.state} <> 'open'
      returning id`)
    const [payment] = await this.#db.with(changed, noted).select().from(changed)
    return payment
  }

  async #settleAll(): Promise<void> {
    const now = this.#clock.now()
    const answered = await this.#db
      .select()
      .from(sandboxPayments)
      .where(and(eq(sandboxPayments.state, 'processing'), lte(sandboxPayments.answersAt, now)))
      .limit(SLICE)
    for (const payment of answered) await this.#settle(payment)
  }

  /** Returns the saved card of a customer. The first payment with the card saves it. */
  async #keepCard(customer: string, number: string): Promise<SavedCard> {
    const find = async () => {
      const isSame = and(eq(sandboxCards.customer, customer), eq(sandboxCards.number, number))
      return (await this.#db.select().from(sandboxCards).where(isSame))[0]
    }
    const known = await find()
    if (known) return known
    const token = `card_${randomBytes(12).toString('base64url')}`
    const expiresAt = this.#clock.now() + (cardOf(number)?.validDays ?? 0) * DAY_MS
    await this.#db.insert(sandboxCards).values({ customer, number, token, expiresAt }).onConflictDoNothing()
    const kept = await find()
    if (!kept) throw new Error('The card was not stored.')
    return kept
  }

  /** Returns the secret that signs notices. It never changes. */
  async #secret(): Promise<string> {
    this.#noticeSecret ??= await this.#keepSecret()
    return this.#noticeSecret
  }

  async #keepSecret(): Promise<string> {
    const find = async () =>
      (await this.#db.select().from(sandboxMerchants).where(eq(sandboxMerchants.id, MERCHANT)))[0]
        ?.noticeSecret
    const known = await find()
    if (known !== undefined) return known
    const noticeSecret = randomBytes(32).toString('hex')
    await this.#db.insert(sandboxMerchants).values({ id: MERCHANT, noticeSecret }).onConflictDoNothing()
    return (await find()) ?? noticeSecret
  }
}

/** Returns the row of a new payment. */
function paymentRow(
  { key, cents, description, language, returnUrl, customer, expiresAt, origin }: PaymentRequest,
  outcome: Partial<SandboxPayment> = {},
): typeof sandboxPayments.$inferInsert {
  const token = randomBytes(24).toString('base64url')
  const pageUrl = `${origin}${SANDBOX_PATH}/${token}`
  return { key, token, cents, description, language, returnUrl, customer, pageUrl, expiresAt, ...outcome }
}

/** Returns the changes to a payment after its card was chosen on the page, or charged. */
function outcomeOf({ number: card, behaviour }: SandboxCard, now: number): Partial<SandboxPayment> {
  const shown = { card, needsConfirmation: false, isDeclined: false }
  switch (behaviour) {
    case 'declined':
      return { ...shown, isDeclined: true }
    case 'asksConfirmation':
      return { ...shown, needsConfirmation: true }
    case 'answersLate':
      return { ...shown, state: 'processing', answersAt: now + ANSWERS_AFTER_MS }
    default:
      return { ...shown, state: 'succeeded', paidAt: now }
  }
}

/**
 * Returns the changes to a payment after a saved card was charged. A refusal is final: the customer is not present
 * to choose another card.
 */
function outcomeOfCharge(card: SandboxCard | undefined, now: number): Partial<SandboxPayment> {
  const isRefused = card === undefined || card.behaviour === 'declined' || card.behaviour === 'failsAtRenewal'
  return isRefused ? { state: 'failed' } : outcomeOf(card, now)
}
