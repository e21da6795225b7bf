import { checkLedger } from '@ondine/contract/ledger'
import { listPaymentMethods } from '@ondine/contract/orders'
import { importVouchers } from '@ondine/contract/vouchers'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll, expect } from 'vitest'
import { reconcileOrders } from '../src/features/rights/orders/order-jobs.ts'
import { orders } from '../src/features/rights/orders/orders.table.ts'
import { renewSubscriptions } from '../src/features/rights/orders/renewals.service.ts'
import { paymentMethods } from '../src/features/rights/payments/payments.table.ts'
import { sandboxPayments } from '../src/features/rights/sandbox/sandbox.table.ts'
import type { Actor } from './builders.ts'
import { changeConfigurationOf } from './configuration.ts'
import { CARDS, Purchases, SOLD } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON, type Tokens } from './service.ts'
import { soldTitles } from './sold-titles.ts'

const OFFERS = `${SOLD}
  - { key: trial-yearly, type: subscription, name: { fra: Essai }, price: "40.00", every: year, trialDays: 14, plan: trial, packages: [sport] }
  - { key: trial-setup, type: subscription, name: { fra: Essai }, price: "4.00", every: month, trialDays: 14, setup: "1.00", packages: [sport] }
  - { key: trial-free, type: subscription, name: { fra: Essai }, price: "0", every: month, trialDays: 14, packages: [sport] }
  - { key: free-start, type: subscription, name: { fra: Essai }, price: "4.00", every: month, introduction: { price: "0.00", periods: 2 }, packages: [sport] }
`
const VOUCHERS = `
vouchers:
  - { key: setup, code: SETUP, percentage: 100, usesPerAccount: 10 }
`

/** Creates a service with trials on sale, for the tests of a `describe` block. */
export function trialScene(kind: DatabaseKind) {
  const scene = testScene(kind, { actor: { tokenDays: 400 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  const operator: Tokens = {}

  beforeAll(async () => {
    await shop.sell(OFFERS)
    Object.assign(operator, (await scene.make.operator()).tokens)
    expect((await scene.service.call(importVouchers, { file: VOUCHERS }, operator)).error.code).toBe(0)
  })
  afterEach(async () => {
    scene.service.clock.set(NOON)
    await reconcile()
    await shop.endSubscriptions()
  })

  const db = () => scene.service.context.db
  const { at } = scene
  const reconcile = async () => await reconcileOrders(shop.parts)
  /** Sets the clock to `time`, and runs the jobs that are due. */
  const work = async (time: number) =>
    await at(time, async () => {
      await reconcile()
      await renewSubscriptions({
        ...shop.parts,
        originOf: () => 'http://localhost',
        mail: { order: async () => {} },
      })
    })
  const ordersOf = async ({ account }: Actor = scene.actor) =>
    await db().select().from(orders).where(eq(orders.accountId, account.id)).orderBy(orders.id)
  const stateOf = async (orderId: number) =>
    (await db().select().from(orders).where(eq(orders.id, orderId)))[0]?.state
  const cardsOf = async ({ account }: Actor = scene.actor) =>
    await db().select().from(paymentMethods).where(eq(paymentMethods.accountId, account.id))
  const methods = async ({ tokens }: Actor = scene.actor) =>
    (await scene.service.call(listPaymentMethods, {}, tokens)).result
  const list = async (actor?: Actor) => await shop.subscriptions(actor)
  const faults = async () => (await scene.service.call(checkLedger, {}, operator)).result.faults
  const atBank = async (orderId: number) => {
    const { key } = await shop.paymentOf(orderId)
    return eq(sandboxPayments.key, key)
  }
  /** Returns the state and amount in cents of each order that pays for a period of a subscription. */
  const charges = async (actor?: Actor) =>
    (await ordersOf(actor))
      .filter(({ periodId }) => periodId !== null)
      .map(({ state, cents }) => [state, cents])
  /** Rents a film, after which the account has a saved card. @returns the card's id as a payment method */
  async function saveCard(card: string = CARDS.good, contentId = titles.encre): Promise<string> {
    const orderId = await shop.buy(['rental'], { card, contentId })
    return `saved-${(await shop.paymentOf(orderId)).methodId}`
  }
  async function withoutCardAsked(work: () => Promise<void>): Promise<void> {
    const change = await changeConfigurationOf(scene.service, { 'offers.isCardAskedForTrial': false })
    try {
      await work()
    } finally {
      await change.undo()
    }
  }

  return {
    scene,
    shop,
    titles,
    operator,
    db,
    at,
    reconcile,
    work,
    ordersOf,
    stateOf,
    cardsOf,
    methods,
    list,
    faults,
    atBank,
    charges,
    saveCard,
    withoutCardAsked,
  }
}
