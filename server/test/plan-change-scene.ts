import type { InputOf } from '@ondine/contract/operation'
import {
  cancelSubscription,
  changeSubscription,
  listChanges,
  undoChange,
} from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll } from 'vitest'
import { checkLedger } from '../src/features/rights/accounting/check-ledger.ts'
import { reconcileOrders } from '../src/features/rights/orders/order-jobs.ts'
import { orders } from '../src/features/rights/orders/orders.table.ts'
import { renewSubscriptions } from '../src/features/rights/orders/renewals.service.ts'
import type { Actor } from './builders.ts'
import { CARDS, DATA, Purchases, RETURN } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON } from './service.ts'
import { soldTitles } from './sold-titles.ts'

/** Mutually exclusive plans, and an option that requires the small or the middle plan. */
export const PLANS = `
packages:
  - key: cinema
    name: { fra: Cinéma }
    titles: [La Houle]
  - key: sport
    name: { fra: Sport }
    titles: [Le Match]
offers:
  - { key: small, type: subscription, name: { fra: Petit, eng: Small }, price: "6.00", every: month, plan: small, packages: [cinema], excludes: [middle, large, large-yearly, setup, free] }
  - { key: small-yearly, type: subscription, name: { fra: Petit }, price: "60.00", every: year, plan: small, packages: [cinema], excludes: [middle, large, large-yearly, setup, free] }
  - { key: middle, type: subscription, name: { fra: Moyen }, price: "9.00", every: month, introduction: { price: "5.00", periods: 2 }, packages: [cinema, sport], excludes: [large] }
  - { key: large, type: subscription, name: { fra: Grand, eng: Large }, price: "12.00", every: month, trialDays: 14, plan: large, packages: [cinema, sport] }
  - { key: large-yearly, type: subscription, name: { fra: Grand }, price: "120.00", every: year, plan: large, packages: [cinema, sport] }
  - { key: largest, type: subscription, name: { fra: Immense }, price: "50.00", every: month, packages: [cinema, sport], excludes: [large] }
  - { key: setup, type: subscription, name: { fra: Avec frais }, price: "3.00", every: month, setup: "1.50", packages: [cinema] }
  - { key: free, type: subscription, name: { fra: Gratuit }, price: "0", every: month, packages: [cinema] }
  - { key: other, type: subscription, name: { fra: Autre }, price: "20.00", every: month, packages: [sport] }
  - { key: option, type: subscription, name: { fra: Option }, price: "3.10", every: month, packages: [sport], requires: [small, small-yearly, middle], excludes: [large] }
  - { key: film, type: transactional, name: { fra: Location }, price: "3.99", titles: [Encre] }
  - { key: rest, type: subscription, name: { fra: Fini }, price: "99.00", every: month, packages: [sport], excludes: [small], validTo: "2025-12-31" }
`

/**
 * Creates a service with mutually exclusive plans, for the tests of a `describe` block. Also returns functions for
 * its subscribers and their changes of plan.
 */
export function planChangeScene(kind: DatabaseKind) {
  const scene = testScene(kind, { actor: { tokenDays: 800 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  beforeAll(async () => await shop.sell(PLANS))
  afterEach(async () => {
    await shop.endSubscriptions()
    scene.service.clock.set(NOON)
  })

  const db = () => scene.service.context.db
  const at = (time: number) => scene.service.clock.set(time)
  const parts = () => ({ ...shop.parts, originOf: () => 'http://localhost', mail: { order: async () => {} } })
  /** Sets the clock to `time`, and runs the background jobs. */
  async function work(time: number): Promise<void> {
    at(time)
    await reconcileOrders(shop.parts)
    await renewSubscriptions(parts())
  }
  const list = async (actor?: Actor) => await shop.subscriptions(actor)
  const only = async (actor?: Actor) => await shop.onlySubscription(actor)
  /** Subscribes and pays. @returns the id of the first subscription */
  async function subscribe(keys: readonly string[], card: string = CARDS.good, actor: Actor = scene.actor) {
    await shop.buy(keys, { card, actor })
    const [first] = await list(actor)
    if (!first) throw new Error('There is no subscription.')
    return first.id
  }
  const changes = async (subscriptionId: number, { tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    (await scene.service.call(listChanges, { subscriptionId }, tokens)).result
  const changeTo = async (subscriptionId: number, key: string) => {
    const found = (await changes(subscriptionId)).find(({ idOption }) => idOption === shop.idOf(key))
    if (!found) throw new Error(`${key} is not a change.`)
    return found
  }
  const ask = async (
    subscriptionId: number,
    fields: Pick<InputOf<typeof changeSubscription>, 'idOption' | 'idRevision' | 'amount'> &
      Partial<InputOf<typeof changeSubscription>>,
    { tokens }: Pick<Actor, 'tokens'> = scene.actor,
  ) =>
    await scene.service.call(
      changeSubscription,
      { subscriptionId, returnUrl: RETURN, paymentData: DATA, policyValidation: true, ...fields },
      tokens,
    )
  const change = async (subscriptionId: number, key: string, fields = {}) => {
    const { idOption, idRevision, amount } = await changeTo(subscriptionId, key)
    return await ask(subscriptionId, { idOption, idRevision, amount, ...fields })
  }
  /** Requests an upgrade and pays for it. @returns the id of its order */
  async function upgrade(subscriptionId: number, key: string, card: string = CARDS.good): Promise<number> {
    const { result } = await change(subscriptionId, key)
    if (!result.payment) throw new Error(`${key} is not an upgrade.`)
    const { action, orderId } = result.payment
    if (action !== null) await shop.pay(action, card)
    await shop.status(orderId)
    return orderId
  }
  const undo = async (subscriptionId: number) =>
    await scene.service.call(undoChange, { subscriptionId }, scene.actor.tokens)
  const cancel = async (subscriptionId: number) =>
    await scene.service.call(cancelSubscription, { subscriptionId }, scene.actor.tokens)
  const ordersOf = async ({ account }: Actor = scene.actor) =>
    await db().select().from(orders).where(eq(orders.accountId, account.id)).orderBy(orders.id)
  const renewals = async () => (await ordersOf()).filter(({ periodId }) => periodId !== null)
  const faults = async () =>
    (await checkLedger({ db: db(), clock: scene.service.clock, providers: shop.parts.providers })).faults

  return {
    scene,
    shop,
    titles,
    db,
    at,
    parts,
    work,
    list,
    only,
    subscribe,
    changes,
    changeTo,
    ask,
    change,
    upgrade,
    undo,
    cancel,
    ordersOf,
    renewals,
    faults,
  }
}
