import { anonymizeMe } from '@ondine/contract/account-calls'
import { refundOrder } from '@ondine/contract/operated-orders'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { CARDS } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { trialScene } from '../../../../test/trial-scene.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { ProviderSilent } from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import { sandboxPayments } from '../sandbox/sandbox.table.ts'
import { reconcileOrders } from './order-jobs.ts'
import { settleOrder } from './settlement.service.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 86_400_000
const TRIAL_END = NOON + 14 * DAY_MS

describe.each(MAIN_DB)('a trial that meets trouble, on a database of kind %s', (kind) => {
  const {
    scene,
    shop,
    titles,
    operator,
    db,
    at,
    reconcile,
    work,
    stateOf,
    cardsOf,
    list,
    faults,
    atBank,
    charges,
    saveCard,
  } = trialScene(kind)

  describe('interrupted', () => {
    /** Orders a trial and saves the card at the bank. The service has not settled the order yet. */
    async function saved() {
      const order = await shop.order(['trial'])
      await shop.pay(order.action)
      expect(await stateOf(order.orderId)).toBe('submitted')
      return order
    }

    it('before the request to the bank: the next press begins the same order, or the order expires', async () => {
      const first = await shop.order(['trial'])
      await db()
        .delete(sandboxPayments)
        .where(await atBank(first.orderId))
      expect(await shop.status(first.orderId)).toBe('submitted')
      const { result } = await shop.ask()
      expect(result.orderId).toBe(first.orderId)
      await db()
        .delete(sandboxPayments)
        .where(await atBank(first.orderId))
      await at(NOON + QUARTER_MS, reconcile)
      expect(await stateOf(first.orderId)).toBe('expired')
    })

    it('before the use of a saved card was stored: the next press continues the order', async () => {
      const paymentMethod = await saveCard()
      const first = await shop.order(['trial'])
      await db()
        .delete(sandboxPayments)
        .where(await atBank(first.orderId))
      expect((await shop.ask({ paymentMethod })).result.orderId).toBe(first.orderId)
      expect(await stateOf(first.orderId)).toBe('executed')
      expect(await faults()).toEqual([])
    })

    it('after the card was saved: the status call of the screen finds it, and so does the job, however late', async () => {
      const { orderId } = await saved()
      expect(await shop.status(orderId)).toBe('executed')
      const other = await scene.make.actor()
      const theirs = await shop.order(['trial'], undefined, other)
      await shop.pay(theirs.action)
      await at(NOON + DAY_MS, reconcile)
      expect(await stateOf(theirs.orderId)).toBe('executed')
    })

    it('between the card and the rights: the card is stored, nothing is half done, and the job finishes the order', async () => {
      const { orderId } = await saved()
      await db().execute(sql`create function refuse_rights() returns trigger language plpgsql as $$
        begin raise exception 'no rights now'; end $$`)
      await db().execute(
        sql`create trigger refuse_rights before insert on grants for each row execute function refuse_rights()`,
      )
      try {
        await expect(settleOrder(shop.parts, orderId)).rejects.toThrow()
      } finally {
        await db().execute(sql`drop function refuse_rights cascade`)
      }
      expect([await stateOf(orderId), (await cardsOf()).length, await list()]).toEqual(['to_execute', 1, []])
      await reconcile()
      expect([await stateOf(orderId), (await list()).length]).toEqual(['executed', 1])
    })

    it('by a silent bank: the order stays open past its time, because the card may be saved', async () => {
      const { orderId } = await saved()
      const { bank } = shop
      bank.query = async () => {
        throw new ProviderSilent('The bank does not answer.')
      }
      await at(NOON + DAY_MS, async () => {
        await reconcileOrders({ ...shop.parts, providers: new Map([['sandbox', bank]]) })
        expect(await stateOf(orderId)).toBe('submitted')
        await reconcile()
        expect(await stateOf(orderId)).toBe('executed')
      })
    })
  })

  describe('that cannot be given any more', () => {
    const settled = async (orderId: number) => [await stateOf(orderId), (await shop.paymentOf(orderId)).state]

    it('of one plan twice: one is executed, and nothing is refunded for the other', async () => {
      const [monthly, yearly] = [await shop.order(['trial']), await shop.order(['trial-yearly'])]
      await shop.pay(monthly.action)
      await shop.pay(yearly.action)
      await Promise.all([settleOrder(shop.parts, monthly.orderId), settleOrder(shop.parts, yearly.orderId)])
      const all = [await settled(monthly.orderId), await settled(yearly.orderId)]
      expect(new Set(all.map((states) => states.join()))).toEqual(
        new Set(['executed,succeeded', 'failed,succeeded']),
      )
      expect([(await list()).length, (await cardsOf()).length]).toEqual([1, 1])
      await reconcile()
      expect([await shop.movements(monthly.orderId), await faults()]).toEqual([{}, []])
    })

    it('spec 36: a card that is saved after the order has expired gives no trial, and nothing is refunded', async () => {
      const { orderId } = await shop.order(['trial'])
      expect(await at(NOON + QUARTER_MS, async () => await shop.status(orderId))).toBe('expired')
      await db()
        .update(sandboxPayments)
        .set({ state: 'succeeded', card: CARDS.good, paidAt: NOON + QUARTER_MS + 1000 })
        .where(await atBank(orderId))
      await at(NOON + QUARTER_MS + 60_000, async () => await Promise.all([reconcile(), reconcile()]))
      expect(await settled(orderId)).toEqual(['expired', 'succeeded'])
      expect([await list(), await faults()]).toEqual([[], []])
    })

    it('A7.1-10 to an account that was deleted meanwhile: its card is not kept', async () => {
      const leaves = await scene.make.actor()
      const { orderId, action } = await shop.order(['trial'], undefined, leaves)
      await shop.pay(action)
      expect((await scene.service.call(anonymizeMe, {}, leaves.tokens)).error.code).toBe(0)
      await reconcile()
      expect(await settled(orderId)).toEqual(['failed', 'succeeded'])
      expect([await cardsOf(leaves), await faults()]).toEqual([[], []])
    })

    it('A7.1-10 to an account that was deleted during its trial: its card is not kept, and nothing is charged', async () => {
      const leaves = await scene.make.actor()
      const { orderId, action } = await shop.order(['trial'], undefined, leaves)
      await shop.pay(action)
      await shop.status(orderId, leaves)
      await scene.service.call(anonymizeMe, {}, leaves.tokens)
      await work(TRIAL_END)
      expect([await charges(leaves), await cardsOf(leaves), await faults()]).toEqual([[], [], []])
    })
  })

  it('has no payment that an operator could refund', async () => {
    const { orderId, action } = await shop.order(['trial'])
    await shop.pay(action)
    await shop.status(orderId)
    expect((await scene.service.call(refundOrder, { idOrder: orderId }, operator)).error.code).toBe(-500)
    expect([(await list()).length, await shop.plays(titles.match)]).toEqual([1, 0])
  })

  it('cannot have a payment of a negative amount', async () => {
    const { orderId } = await shop.order(['trial'])
    const { id } = await shop.paymentOf(orderId)
    await expect(
      db().update(payments).set({ cents: -1 }).where(eq(payments.id, id)).execute(),
    ).rejects.toThrow()
  })

  it('of a suspended account is still executed, so that the account has it when it is open again', async () => {
    const { orderId, action } = await shop.order(['trial'])
    await shop.pay(action)
    await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
    await reconcile()
    expect([await stateOf(orderId), (await cardsOf()).length]).toEqual(['executed', 1])
  })
})
