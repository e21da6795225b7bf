import { importOffers, readOffer } from '@ondine/contract/offers'
import type { InputOf } from '@ondine/contract/operation'
import { addOptions, askPayment, checkOrderStatus } from '@ondine/contract/orders'
import { testAsset } from '@ondine/contract/playback'
import { listSubscriptions } from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { type OrderParts, openCheckout } from '../src/features/rights/orders/orders.service.ts'
import { orders, subscriptionPeriods, subscriptions } from '../src/features/rights/orders/orders.table.ts'
import type { EmailParts } from '../src/features/rights/orders/subscription-emails.ts'
import { ledgerEntries, ledgerMovements } from '../src/features/rights/payments/ledger.table.ts'
import { payments } from '../src/features/rights/payments/payments.table.ts'
import { SandboxBank } from '../src/features/rights/sandbox/sandbox-bank.service.ts'
import { subjectsOf } from '../src/features/viewing/shop/shop.service.ts'
import type { Actor } from './builders.ts'
import type { TestScene } from './scene.ts'
import { NOON } from './service.ts'

/** Return address of payment pages in tests. Its host is also the host of calls within the process. */
export const RETURN = 'http://localhost/offers/confirmation'
/** Payment data of the sandbox bank. */
export const DATA = '{"brandBillingProviderId":5}'

/** Test cards by their behaviour. */
export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  confirmed: '4000000000003220',
  failsAtRenewal: '5555555555550341',
  late: '5555555555550119',
  expiresSoon: '4000000000000069',
} as const

/** Offers of the tests. */
export const SOLD = `
packages:
  - key: cinema
    name: { fra: Cinéma }
    titles: [La Houle]
  - key: sport
    name: { fra: Sport }
    titles: [Le Match]
  - key: recent
    name: { fra: Nouveautés }
    titles: [Encre, Sel, Fort]
offers:
  - { key: cinema-monthly, type: subscription, name: { fra: Cinéma, eng: Cinema }, price: "8.99", every: month, plan: cinema, packages: [cinema] }
  - { key: cinema-yearly, type: subscription, name: { fra: Cinéma }, price: "89.90", every: year, plan: cinema, packages: [cinema] }
  - { key: sport, type: subscription, name: { fra: Sport }, price: "5.00", every: month, setup: "1.50", introduction: { price: "2.49", periods: 3 }, packages: [sport], excludes: [cinema-yearly] }
  - { key: trial, type: subscription, name: { fra: Essai }, price: "4.00", every: month, trialDays: 14, packages: [sport] }
  - { key: once, type: subscription, name: { fra: Unique }, price: "0", every: week, packages: [sport], once: true }
  - { key: ultra, type: subscription, name: { fra: Ultra HD }, price: "2.00", every: month, packages: [cinema], requires: [cinema-monthly, cinema-yearly] }
  - { key: rental, type: transactional, name: { fra: Location, eng: Rental }, price: "3.99", class: recent }
  - { key: season, type: transactional, name: { fra: Saison }, price: "6.99", season: { series: Le Métier, number: 1 }, hours: 168 }
  - { key: regatta, type: ppv, name: { fra: La régate en direct }, price: "5.00", event: La régate }
  - { key: channel-day, type: ppv, name: { fra: La chaîne pour un jour }, price: "1.50", channel: 7, hours: 24 }
  - { key: over, type: subscription, name: { fra: Fini }, price: "1.00", every: month, packages: [sport], validTo: "2025-12-31" }
`

/** Fields of a payment with a new card. */
const PAYING = { returnUrl: RETURN, paymentData: DATA, policyValidation: true } as const

/** Options of a purchase. By default, the scene's actor buys with a card that pays. */
interface Buying {
  card?: string
  contentId?: number | undefined
  actor?: Actor
}

/** Makes the purchases of a test, and presses the buttons on the bank's pages. */
export class Purchases {
  readonly #scene: TestScene
  /** Ids of offers by key. */
  readonly offers = new Map<string, number>()

  constructor(scene: TestScene) {
    this.#scene = scene
  }

  /** Puts the offers on sale. Titles that the offers name must exist. */
  async sell(file = SOLD): Promise<void> {
    const { service, make } = this.#scene
    const { tokens } = await make.operator()
    const { result, error } = await service.call(importOffers, { file }, tokens)
    if (error.code !== 0) throw new Error(JSON.stringify(error))
    for (const key of [...result.added, ...result.changed, ...result.unchanged])
      this.offers.set(key, (await service.call(readOffer, { key }, tokens)).result.idOption)
  }

  idOf(key: string): number {
    const id = this.offers.get(key)
    if (id === undefined) throw new Error(`There is no offer ${key}.`)
    return id
  }

  /** Adds offers to the cart of an account; with `contentId`, for this title. */
  async add(
    keys: readonly string[],
    contentId?: number,
    { tokens }: Pick<Actor, 'tokens'> = this.#scene.actor,
  ) {
    const extra =
      contentId === undefined ? undefined : { context: { contentId, contentType: 'VOD_ASSET' as const } }
    const optionIds = keys.map((key) => this.idOf(key))
    return await this.#scene.service.call(
      addOptions,
      { optionIds, resetOrder: true, ...(extra && { extra }) },
      tokens,
    )
  }

  async ask(
    fields: Partial<InputOf<typeof askPayment>> = {},
    { tokens }: Pick<Actor, 'tokens'> = this.#scene.actor,
  ) {
    return await this.#scene.service.call(askPayment, { ...PAYING, ...fields }, tokens)
  }

  /** Adds offers to the cart and requests the payment. */
  async order(keys: readonly string[], contentId?: number, actor: Actor = this.#scene.actor) {
    const { error } = await this.add(keys, contentId, actor)
    if (error.code !== 0) throw new Error(`${keys.join()}: ${JSON.stringify(error)}`)
    const { result, error: refused } = await this.ask({}, actor)
    if (refused.code !== 0) throw new Error(`${keys.join()}: ${JSON.stringify(refused)}`)
    return { orderId: result.orderId, action: result.action ?? '', amount: result.amount }
  }

  /** Opens a page of the bank. */
  async page(action: string) {
    return await this.#scene.service.app.inject({ method: 'GET', url: new URL(action).pathname })
  }

  /** Presses a button on a page of the bank. */
  async press(action: string, fields: Record<string, string>) {
    return await this.#scene.service.app.inject({
      method: 'POST',
      url: new URL(action).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      payload: new URLSearchParams(fields).toString(),
    })
  }

  /** Pays on a page of the bank. By default the bank sends no notice. */
  async pay(action: string, card: string = CARDS.good, notices = 'never') {
    return await this.press(action, { do: 'pay', card, notices })
  }

  async status(orderId: number, { tokens }: Pick<Actor, 'tokens'> = this.#scene.actor): Promise<string> {
    return (await this.#scene.service.call(checkOrderStatus, { orderId }, tokens)).result.orderStatus
  }

  /** Returns the error code of an attempt to play. */
  async plays(idAsset: number, { tokens }: Pick<Actor, 'tokens'> = this.#scene.actor): Promise<number> {
    return (await this.#scene.service.call(testAsset, { idAsset }, tokens)).error.code
  }

  /**
   * Adds offers to the cart, pays if they cost something, and waits until the order is executed. @returns the
   * order's id
   */
  async buy(
    keys: readonly string[],
    { card = CARDS.good, contentId, actor = this.#scene.actor }: Buying = {},
  ): Promise<number> {
    const { orderId, action } = await this.order(keys, contentId, actor)
    if (action !== '') await this.pay(action, card)
    expect(await this.status(orderId, actor)).toBe('executed')
    return orderId
  }

  /** Returns the subscriptions of an account, as the account holder sees them. */
  async subscriptions({ tokens }: Pick<Actor, 'tokens'> = this.#scene.actor) {
    return (await this.#scene.service.call(listSubscriptions, {}, tokens)).result
  }

  /** Returns the only subscription of an account. */
  async onlySubscription(actor?: Actor) {
    const [subscription, ...more] = await this.subscriptions(actor)
    if (!subscription || more.length > 0) throw new Error('There is not one subscription.')
    return subscription
  }

  /** Ends all subscriptions, so that they do not renew during the next test. */
  async endSubscriptions(): Promise<void> {
    const { db } = this.#scene.service.context
    await db.update(subscriptions).set({ endedAt: NOON })
    await db.update(subscriptionPeriods).set({ state: 'void' }).where(eq(subscriptionPeriods.state, 'due'))
  }

  /** A new client object of the bank, like the separate one that another process has. */
  get bank(): SandboxBank {
    const { db, clock, log } = this.#scene.service.context
    return new SandboxBank({ db, clock, log }, async () => {})
  }

  /** Dependencies of the background jobs that settle orders. */
  get parts(): OrderParts & Pick<EmailParts, 'consumerRules'> {
    const { context } = this.#scene.service
    const { db, clock, log, offers: book, catalogue, configurations, settings } = context
    const providers = new Map([['sandbox', this.bank]])
    return {
      ...openCheckout({
        db,
        log,
        providers,
        book,
        vatRates: settings.VAT_RATES,
        retryDays: settings.RENEWAL_RETRY_DAYS,
        seller: settings.SELLER,
      }),
      clock,
      consumerRules: (storefrontId) => configurations.of(storefrontId).offers.consumerRules,
      findSubject: subjectsOf({ db, catalogue }),
    }
  }

  /** Returns the movements of an order's payment, each with its entries in cents. */
  async movements(orderId: number): Promise<Record<string, Record<string, number>>> {
    const { db } = this.#scene.service.context
    const rows = await db
      .select({ kind: ledgerMovements.kind, account: ledgerEntries.account, cents: ledgerEntries.cents })
      .from(orders)
      .innerJoin(ledgerMovements, eq(ledgerMovements.paymentId, orders.paymentId))
      .innerJoin(ledgerEntries, eq(ledgerEntries.movementId, ledgerMovements.id))
      .where(eq(orders.id, orderId))
    const all: Record<string, Record<string, number>> = {}
    for (const { kind, account, cents } of rows) all[kind] = { ...all[kind], [account]: cents }
    return all
  }

  /** Returns the payment of an order. */
  async paymentOf(orderId: number) {
    const { db } = this.#scene.service.context
    const [row] = await db
      .select({ payment: payments })
      .from(orders)
      .innerJoin(payments, eq(orders.paymentId, payments.id))
      .where(eq(orders.id, orderId))
    if (!row) throw new Error('The order has no payment.')
    return row.payment
  }
}
