import { randomBytes } from 'node:crypto'
import { DEFAULT_BILLING_PROVIDER } from '@ondine/contract/orders'
import { and, asc, eq, gt, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Clock } from '../../clock.ts'
import type { Database } from '../../database/connection.ts'
import {
  type PaymentProvider,
  type PaymentRequest,
  type ProviderBook,
  type ProviderPayment,
  ProviderSilent,
  type ReceivedNotice,
} from '../payments/payment-provider.ts'
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
/** A card that the bank keeps. */
type SavedCard = typeof sandboxCards.$inferSelect

/** How long the bank of a card that answers late takes, in milliseconds. */
const ANSWERS_AFTER_MS = 30_000
/** How late a late notice is. */
const LATE_MS = 60_000
/** A notice that is not received comes again so often, each time after twice as long. */
const MOST_TRIES = 8
const AGAIN_MS = 30_000
const DAY_MS = 86_400_000
/** Notices that are sent at a time. */
const SLICE = 50
/** The one merchant. */
const MERCHANT = 1

/** Where the pages of the bank are. */
export const SANDBOX_PATH = '/sandbox-payments'

/** Brings a notice to the merchant. @returns whether it was received */
export type SendNotice = (body: string, headers: Record<string, string>) => Promise<boolean>

/** What a customer does on the page of a payment. */
export interface Shown {
  number: string
  notices: NoticeMode
}

/**
 * A bank with its own books, in which no money moves. It is a payment provider like any other: it may be slow, silent and
 * repetitive, and only {@link SandboxBank.query} tells the truth.
 */
export class SandboxBank implements PaymentProvider {
  readonly name = 'sandbox'
  readonly brandBillingProviderId = DEFAULT_BILLING_PROVIDER
  readonly #db: Database
  readonly #clock: Clock
  readonly #onNotice: () => Promise<void>
  #noticeSecret: string | undefined

  /** @param onNotice called when there are notices to send */
  constructor(db: Database, clock: Clock, onNotice: () => Promise<void>) {
    this.#db = db
    this.#clock = clock
    this.#onNotice = onNotice
  }

  async start(request: PaymentRequest): Promise<ProviderPayment> {
    return await this.#answer(await this.#open(request))
  }

  async charge(request: PaymentRequest, methodReference: string): Promise<ProviderPayment> {
    const [saved] = await this.#db
      .select()
      .from(sandboxCards)
      .where(and(eq(sandboxCards.token, methodReference), eq(sandboxCards.customer, request.customer)))
      .prepare('sandbox_card')
      .execute()
    const now = this.#clock.now()
    const isExpired = (saved?.expiresAt ?? Number.POSITIVE_INFINITY) <= now
    const outcome = outcomeOfCharge(isExpired ? undefined : cardOf(saved?.number ?? ''), now)
    // A charge that is answered at once needs no notice.
    const charged =
      (request.expiresAt > now ? await this.#make(request, outcome) : undefined) ??
      (await this.#chargeKnown(request, outcome))
    // Its answer is late; what it was asked for is done all the same.
    if (charged.state === 'processing') throw new ProviderSilent('The bank of the card does not answer.')
    return await this.#answer(charged, saved)
  }

  async refund(key: string): Promise<void> {
    await this.#db
      .update(sandboxPayments)
      .set({ state: 'refunded' })
      .where(and(eq(sandboxPayments.key, key), eq(sandboxPayments.state, 'succeeded')))
    const payment = await this.#known(key)
    if (payment?.state !== 'refunded') throw new Error(`Payment ${key} cannot be given back.`)
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
    }
  }

  async verifyNotice({ headers, body }: ReceivedNotice, now: number): Promise<string | undefined> {
    const signature = headers[SIGNATURE_HEADER]
    if (typeof signature !== 'string') return undefined
    if (!isSigned(body, await this.#secret(), signature, now)) return undefined
    // Only the bank signs, and it writes nothing else.
    return (JSON.parse(body) as { payment: string }).payment
  }

  /** The payment of a page. */
  async ofToken(token: string): Promise<SandboxPayment | undefined> {
    const [payment] = await this.#db.select().from(sandboxPayments).where(eq(sandboxPayments.token, token))
    return payment && (await this.#settle(payment))
  }

  /** A card is shown on the page. What is paid, over or expired stays as it is. */
  async show(token: string, { number, notices }: Shown): Promise<void> {
    const card = cardOf(number)
    if (card) await this.#move(token, { ...outcomeOf(card, this.#clock.now()), notices })
  }

  /** The customer confirms the card that was shown. */
  async confirm(token: string): Promise<void> {
    await this.#move(token, { state: 'succeeded', needsConfirmation: false, paidAt: this.#clock.now() }, true)
  }

  /** The customer gives up. */
  async cancel(token: string): Promise<void> {
    await this.#move(token, { state: 'failed' })
  }

  /** Sends the notices that are due, oldest first. @returns how many were tried */
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

  /** The payment of a request, which is made when its key comes for the first time. */
  async #open(request: PaymentRequest): Promise<SandboxPayment> {
    const payment = (await this.#make(request)) ?? (await this.#known(request.key))
    if (!payment) throw new Error('The payment was not stored.')
    return payment
  }

  /** Makes the payment of a request. @returns undefined when its key has come before */
  async #make(
    { key, cents, description, language, returnUrl, customer, expiresAt, origin }: PaymentRequest,
    outcome: Partial<SandboxPayment> = {},
  ): Promise<SandboxPayment | undefined> {
    const token = randomBytes(24).toString('base64url')
    const pageUrl = `${origin}${SANDBOX_PATH}/${token}`
    const [made] = await this.#db
      .insert(sandboxPayments)
      .values({
        key,
        token,
        cents,
        description,
        language,
        returnUrl,
        customer,
        pageUrl,
        expiresAt,
        ...outcome,
      })
      .onConflictDoNothing()
      .returning()
    return made
  }

  /** Charges a payment that was made before, if it is still open. @returns it as it is then */
  async #chargeKnown(request: PaymentRequest, outcome: Partial<SandboxPayment>): Promise<SandboxPayment> {
    const payment = await this.#open(request)
    return (await this.#move(payment.token, outcome)) ?? (await this.#known(payment.key)) ?? payment
  }

  async #known(key: string): Promise<SandboxPayment | undefined> {
    const [payment] = await this.#db.select().from(sandboxPayments).where(eq(sandboxPayments.key, key))
    return payment && (await this.#settle(payment))
  }

  /** @param saved the card that paid, where it was looked up before */
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
   * Changes an open payment. Of two changes at once one wins: the other finds it open no more.
   *
   * @returns undefined when it is not open, or has expired
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

  /** The payment as it is once the bank of its card has answered, where that answers late. */
  async #settle(payment: SandboxPayment): Promise<SandboxPayment> {
    const { id, state, answersAt } = payment
    if (state !== 'processing' || answersAt === null || answersAt > this.#clock.now()) return payment
    const settled = await this.#change(
      and(eq(sandboxPayments.id, id), eq(sandboxPayments.state, 'processing')),
      { state: 'succeeded', paidAt: answersAt },
    )
    // Somebody else has settled it meanwhile: it is no different.
    return settled ?? { ...payment, state: 'succeeded', paidAt: answersAt }
  }

  /**
   * Changes a payment, and writes the notices of it in the same statement.
   *
   * @returns the payment as it is then; undefined when there is none of these
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
    // What each mode sends, when, and what it says where that is not true.
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

  /** A card of a customer, which the bank keeps from its first payment on. */
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

  /** What notices are signed with. It never changes. */
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

/** What comes of a card that is shown on the page, or charged. */
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

/** What comes of a saved card that is charged. There is nobody to try another one. */
function outcomeOfCharge(card: SandboxCard | undefined, now: number): Partial<SandboxPayment> {
  const isRefused = card === undefined || card.behaviour === 'declined' || card.behaviour === 'failsAtRenewal'
  return isRefused ? { state: 'failed' } : outcomeOf(card, now)
}
