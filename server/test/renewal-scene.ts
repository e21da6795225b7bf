import { cancelSubscription, payRenewal, resumeSubscription } from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll } from 'vitest'
import type { MailOrder } from '../src/features/people/mail/mail.service.ts'
import { reconcileOrders } from '../src/features/rights/orders/order-jobs.ts'
import { orders } from '../src/features/rights/orders/orders.table.ts'
import {
  renewSubscriptions,
  type SubscriptionJobParts,
} from '../src/features/rights/orders/renewals.service.ts'
import { ProviderSilent } from '../src/features/rights/payments/payments.service.ts'
import type { Actor } from './builders.ts'
import { CARDS, DATA, Purchases, RETURN } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON } from './service.ts'
import { soldTitles } from './sold-titles.ts'

const ORIGIN = 'http://localhost:4000'
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
/** End of the first month of a subscription bought at noon on 15 January. */
export const MONTH_1 = Date.UTC(2026, 1, 15, 12)
export const MONTH_2 = Date.UTC(2026, 2, 15, 12)

/**
 * Creates a service that sells subscriptions, for the tests of a `describe` block. Also returns functions for its
 * subscribers and their renewals.
 */
export function renewalScene(kind: DatabaseKind) {
  // Tokens must stay valid for the whole period that these tests cover.
  const scene = testScene(kind, { actor: { tokenDays: 800 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  beforeAll(async () => await shop.sell())
  afterEach(async () => {
    await shop.endSubscriptions()
    scene.service.clock.set(NOON)
  })

  const db = () => scene.service.context.db
  const letters: MailOrder[] = []
  const jobParts = (): SubscriptionJobParts => ({
    ...shop.parts,
    originOf: () => ORIGIN,
    mail: { order: async (letter) => void letters.push(letter) },
  })
  const at = (time: number) => scene.service.clock.set(time)
  /** Sets the clock to `time`, and runs the background jobs. */
  async function work(time: number): Promise<void> {
    at(time)
    await reconcileOrders(shop.parts)
    await renewSubscriptions(jobParts())
  }
  async function workWithSilentBank(time: number): Promise<void> {
    const { bank } = shop
    bank.charge = async () => {
      throw new ProviderSilent('The bank does not answer.')
    }
    at(time)
    await renewSubscriptions({ ...jobParts(), providers: new Map([['sandbox', bank]]) })
  }
  const list = async (actor?: Actor) => await shop.subscriptions(actor)
  const only = async (actor?: Actor) => await shop.onlySubscription(actor)
  const renewals = async ({ account }: Actor = scene.actor) =>
    (await db().select().from(orders).where(eq(orders.accountId, account.id)).orderBy(orders.id)).filter(
      ({ periodId }) => periodId !== null,
    )
  const emailsOf = ({ account }: Actor = scene.actor) =>
    letters.flatMap((letter) =>
      'accountId' in letter && letter.accountId === account.id ? [letter.letter] : [],
    )
  /** Subscribes and pays. */
  async function subscribe(keys: readonly string[], card: string = CARDS.good, actor: Actor = scene.actor) {
    return await shop.buy(keys, { card, actor })
  }
  const cancel = async (id: number, tokens = scene.actor.tokens) =>
    await scene.service.call(cancelSubscription, { subscriptionId: id }, tokens)
  const resume = async (id: number, tokens = scene.actor.tokens) =>
    await scene.service.call(resumeSubscription, { subscriptionId: id }, tokens)
  const payNow = async (id: number, fields: Record<string, string> = { paymentData: DATA }) =>
    await scene.service.call(
      payRenewal,
      { subscriptionId: id, returnUrl: RETURN, ...fields },
      scene.actor.tokens,
    )

  return {
    scene,
    shop,
    titles,
    db,
    letters,
    jobParts,
    at,
    work,
    workWithSilentBank,
    list,
    only,
    renewals,
    emailsOf,
    subscribe,
    cancel,
    resume,
    payNow,
  }
}
