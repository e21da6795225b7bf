import { anonymizeMe } from '@ondine/contract/account-calls'
import { availableOffers, importOffers, withdrawOffer } from '@ondine/contract/offers'
import { refundOrder } from '@ondine/contract/operated-orders'
import {
  addOptions,
  listOptions,
  OFFER_VALIDITY,
  removeOptions,
  type UserOffer,
} from '@ondine/contract/orders'
import { cancelSubscription, listSubscriptions } from '@ondine/contract/subscriptions'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { CARDS, SOLD } from '../../../../test/purchases.ts'
import { DATABASES } from '../../../../test/service.ts'
import { storePurchasesScene } from '../../../../test/store-purchases-scene.ts'
import { subscriptionServiceScene } from '../../../../test/subscription-service-scene.ts'
import { voucherScene } from '../../../../test/voucher-scene.ts'
import { rowsOf } from '../../../database/rows.ts'
import type { Service } from '../../../service.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { endGrants } from '../entitlements/grants.service.ts'
import { orders } from './orders.table.ts'

const { active, cancelled, ordered, pendingPayment } = OFFER_VALIDITY
const DAY_MS = 86_400_000

/** Calls an operation of the shop at one of the two processes of the service. */
async function answerOf(
  { app }: Pick<Service, 'app'>,
  { path }: { path: string },
  { tokens }: Pick<Actor, 'tokens'>,
  fields: Record<string, string> = {},
): Promise<{ result: UserOffer[]; error?: { code: number } }> {
  const headers = { ...tokens, 'content-type': 'application/x-www-form-urlencoded' }
  const payload = new URLSearchParams(fields).toString()
  return (await app.inject({ method: 'POST', url: path, headers, payload })).json()
}

/** Returns the ids and statuses of an account's offers, as one process of the service answers. */
async function heldAt(node: Pick<Service, 'app'>, actor: Actor) {
  const { result } = await answerOf(node, listOptions, actor)
  return result.map(({ idOption, statusId }) => [idOption, statusId])
}

describe.each(DATABASES)('the purchases of an account, on a database of kind %s', (kind) => {
  const { scene, shop, titles, operator, at, redeem, codesOf, db } = voucherScene(kind)
  let nodes: Pick<Service, 'app'>[]
  beforeAll(async () => {
    nodes = [scene.service, await scene.service.another()]
  })
  // Before each test, let both processes cache the purchases of the account.
  beforeEach(async () => expect(await held()).toEqual([[], []]))

  const held = async (actor = scene.actor) =>
    await Promise.all(nodes.map(async (node) => await heldAt(node, actor)))
  const onBoth = <Value>(value: Value) => [value, value]
  const buy = async (key: string, contentId?: number) => {
    const { orderId, action } = await shop.order([key], contentId)
    await shop.pay(action, CARDS.good)
    expect(await shop.status(orderId)).toBe('executed')
    return orderId
  }
  const heldOffers = async (fields: Record<string, string> = {}) =>
    await Promise.all(
      nodes.map(async (node) => {
        const { result } = await answerOf(node, availableOffers, scene.actor, fields)
        return result.filter((each) => each.userValidityActive).map(({ idOption }) => idOption)
      }),
    )

  it('A4.1-01 are seen by every process from the cart to the end of a subscription', async () => {
    const id = shop.idOf('cinema-monthly')
    await shop.add(['cinema-monthly'])
    expect(await held()).toEqual(onBoth([[id, ordered]]))
    const { result } = await shop.ask()
    expect(await held()).toEqual(onBoth([[id, pendingPayment]]))
    await shop.pay(result.action ?? '')
    expect(await shop.status(result.orderId)).toBe('executed')
    expect(await held()).toEqual(onBoth([[id, active]]))
    const { tokens } = scene.actor
    const [subscription] = (await scene.service.call(listSubscriptions, {}, tokens)).result
    await scene.service.call(cancelSubscription, { subscriptionId: subscription?.id ?? 0 }, tokens)
    expect(await held()).toEqual(onBoth([[id, cancelled]]))
    // The end of a subscription writes nothing to the database. So no notice evicts the cached purchases: they
    // must expire.
    expect(await at(Date.UTC(2026, 1, 15, 12) - 1, held)).toEqual(onBoth([[id, cancelled]]))
    expect(await at(Date.UTC(2026, 1, 15, 12), held)).toEqual(onBoth([]))
  })

  it('A7.1-23 an event that was bought is held in the list of all offers', async () => {
    await buy('regatta', titles.regatta)
    expect(await heldOffers()).toEqual(onBoth([shop.idOf('regatta')]))
  })

  it('end with a refund by the operator', async () => {
    const idOrder = await buy('rental', titles.encre)
    expect(await held()).toEqual(onBoth([[shop.idOf('rental'), active]]))
    expect((await scene.service.call(refundOrder, { idOrder }, operator)).error.code).toBe(0)
    expect(await held()).toEqual(onBoth([]))
  })

  it('end with a right that is revoked', async () => {
    await buy('rental', titles.encre)
    expect(await held()).toEqual(onBoth([[shop.idOf('rental'), active]]))
    const accountId = scene.actor.account.id
    const given = await db().select().from(grants).where(eq(grants.accountId, accountId))
    const sourceIds = given.map(({ sourceId }) => sourceId)
    const now = scene.service.clock.now()
    await endGrants(db(), { source: 'rental', sourceIds, accountIds: [accountId] }, now)
    expect(await held()).toEqual(onBoth([]))
  })

  it('A4.1-01 end with the time of a rental, in lists of offers too', async () => {
    await buy('season')
    const season = shop.idOf('season')
    expect(await held()).toEqual(onBoth([[season, active]]))
    expect(await heldOffers()).toEqual(onBoth([season]))
    const [given] = await db().select().from(grants).where(eq(grants.accountId, scene.actor.account.id))
    const end = given?.validTo ?? 0
    expect(end).toBeGreaterThan(scene.service.clock.now())
    expect(await at(end - 1, held)).toEqual(onBoth([[season, active]]))
    expect(await at(end, held)).toEqual(onBoth([]))
    expect(await at(end, heldOffers)).toEqual(onBoth([]))
  })

  it('include the plan that a redeemed gift gives', async () => {
    const [code = ''] = await codesOf('present', 1)
    expect((await redeem(code)).error.code).toBe(0)
    expect(await held()).toEqual(onBoth([[shop.idOf('cinema-monthly'), active]]))
  })

  it('disappear when their account is deleted', async () => {
    await buy('cinema-monthly')
    expect((await held())[1]).toHaveLength(1)
    expect((await scene.service.call(anonymizeMe, {}, scene.actor.tokens)).error.code).toBe(0)
    for (const node of nodes) expect((await answerOf(node, listOptions, scene.actor)).error).toBeDefined()
  })

  it('spec 46: a child’s profile is offered nothing as soon as it is a child’s', async () => {
    expect((await answerOf(nodes[1]!, availableOffers, scene.actor)).result).not.toEqual([])
    await db().update(profiles).set({ kid: true }).where(eq(profiles.id, scene.actor.profileId))
    for (const node of nodes) {
      expect((await answerOf(node, availableOffers, scene.actor)).result).toEqual([])
      expect((await answerOf(node, listOptions, scene.actor)).error?.code).toBe(-1612)
    }
  })

  it('A4.2-02 offers that an operator withdraws or imports leave or join the list in every process', async () => {
    const id = shop.idOf('sport')
    const listed = async () =>
      await Promise.all(
        nodes.map(async (node) =>
          (await answerOf(node, availableOffers, scene.actor)).result.some(({ idOption }) => idOption === id),
        ),
      )
    expect(await listed()).toEqual([true, true])
    await scene.service.call(withdrawOffer, { key: 'sport' }, operator)
    await expect.poll(listed).toEqual([false, false])
    await scene.service.call(importOffers, { file: SOLD.replace('"5.00", every', '"5.50", every') }, operator)
    await expect.poll(listed).toEqual([true, true])
    for (const node of nodes) {
      const { result } = await answerOf(node, availableOffers, scene.actor)
      expect(result.find(({ idOption }) => idOption === id)?.priceWithVat).toBe('5.50')
    }
    await scene.service.call(importOffers, { file: SOLD }, operator)
  })

  // The tests below lock tables while other connections read. The embedded database has only one connection.
  if (kind === 'embedded') return

  describe('in memory', () => {
    /** Locks tables that purchases are read from, until `work` is done. */
    const locked = async (tables: string, work: (tx: Parameters<typeof rowsOf>[0]) => Promise<void>) =>
      await db().transaction(async (tx) => {
        await tx.execute(sql.raw(`lock table ${tables} in access exclusive mode`))
        await work(tx)
      })

    it('are answered without the database', async () => {
      await buy('rental', titles.encre)
      const expected = onBoth([[shop.idOf('rental'), active]])
      expect(await held()).toEqual(expected)
      await locked('grants, orders, order_items, subscriptions, cart_items, cart_vouchers', async () => {
        expect(await held()).toEqual(expected)
      })
    })

    it('are not kept from a read that began before a change and ended after it', async () => {
      await shop.order(['rental'], titles.sel)
      const accountId = scene.actor.account.id
      let reads: ReturnType<typeof held> | undefined
      await locked('cart_items', async (tx) => {
        // The reads have already read the orders, and now wait for the locked cart table.
        reads = held()
        await expect
          .poll(async () => {
            const [row] = await rowsOf<{ waiting: number }>(
              tx,
              sql`select count(*)::integer as waiting from pg_locks where not granted and relation = 'cart_items'::regclass`,
            )
            return row?.waiting
          })
          .toBe(2)
        await tx.execute(sql`update orders set state = 'failed' where account_id = ${accountId}`)
      })
      const before = await reads
      expect(before?.[0]).toContainEqual([shop.idOf('rental'), pendingPayment])
      for (const each of await held()) expect(each).not.toContainEqual([shop.idOf('rental'), pendingPayment])
      expect(await db().select().from(orders).where(eq(orders.accountId, accountId))).toHaveLength(1)
    })

    it('are read again when the connection for notices is lost', async () => {
      await buy('cinema-monthly')
      const accountId = scene.actor.account.id
      expect((await held())[1]).toHaveLength(1)
      await db().execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'ondine web,worker,ingest' and datname = current_database()`,
      )
      await db().execute(
        sql`update subscriptions set status_id = ${cancelled} where account_id = ${accountId}`,
      )
      await expect.poll(async () => await held()).toEqual(onBoth([[shop.idOf('cinema-monthly'), cancelled]]))
    })
  })
})

describe.each(DATABASES)('own purchases, where answers may lag behind, on a database of kind %s', (kind) => {
  const { scene, shop } = voucherScene(kind, { CATALOGUE_CACHE_SECONDS: 60 })

  it('A4.1-01 are seen by the next call of the account, before the database notifies the process', async () => {
    const id = shop.idOf('cinema-monthly')
    const optionIds = [id]
    for (let turn = 0; turn < 25; turn++) {
      await scene.service.call(addOptions, { optionIds }, scene.actor.tokens)
      expect(await heldAt(scene.service, scene.actor)).toEqual([[id, ordered]])
      await scene.service.call(removeOptions, { optionIds }, scene.actor.tokens)
      expect(await heldAt(scene.service, scene.actor)).toEqual([])
    }
  })
})

describe.each(DATABASES)('purchases in a store, on a database of kind %s', (kind) => {
  const { scene, shop, store, run, link, post } = storePurchasesScene(kind)

  it('A7.3-01 are seen by every process when they are linked, cancelled and refunded', async () => {
    const nodes = [scene.service, await scene.service.another()]
    const held = async () => await Promise.all(nodes.map(async (node) => await heldAt(node, scene.actor)))
    expect(await held()).toEqual([[], []])
    const now = scene.service.clock.now()
    const transaction = {
      transactionId: `3000000${run.serial}`,
      originalTransactionId: `3000000${run.serial}`,
      productId: 'tv.cinema',
      purchaseDate: now,
      expiresDate: now + 30 * DAY_MS,
      signedDate: now,
    }
    const { transactionId } = transaction
    const signedTransaction = store.sign(transaction)
    await link({ transactionId, provider: 'apple', transactionParams: { signedTransaction } })
    const id = shop.idOf('cinema-monthly')
    expect(await held()).toEqual([[[id, active]], [[id, active]]])
    // A cancellation changes no right, but must evict the cached purchases.
    await post(
      '/payments/apple/notices',
      store.notify(
        { ...transaction, signedDate: now + 1 },
        { notificationType: 'DID_CHANGE_RENEWAL_STATUS', renewal: { autoRenewStatus: 0 } },
      ),
    )
    expect(await held()).toEqual([[[id, cancelled]], [[id, cancelled]]])
    const revoked = { ...transaction, signedDate: now + 2, revocationDate: now + 2 }
    scene.service.clock.set(now + 2)
    await post('/payments/apple/notices', store.notify(revoked, { notificationType: 'REFUND' }))
    expect(await held()).toEqual([[], []])
  })
})

describe.each(DATABASES)('subscriptions of a service, on a database of kind %s', (kind) => {
  const { cleeng, scene, purchases, refresh, monthly } = subscriptionServiceScene(kind)

  it('A5-31 are seen by every process when the service reports them', async () => {
    const nodes = [scene.service, await scene.service.another()]
    const held = async () => await Promise.all(nodes.map(async (node) => await heldAt(node, scene.actor)))
    const id = purchases.idOf('cinema')
    expect(await held()).toEqual([[], []])
    cleeng.holds(scene.actor.account.email, monthly())
    await refresh()
    expect(await held()).toEqual([[[id, active]], [[id, active]]])
    cleeng.holds(scene.actor.account.email, monthly({ status: 'cancelled' }))
    await refresh()
    expect(await held()).toEqual([[[id, cancelled]], [[id, cancelled]]])
  })
})
