import { anonymizeMe } from '@ondine/contract/account-calls'
import { checkLedger } from '@ondine/contract/ledger'
import { refundOrder } from '@ondine/contract/operated-orders'
import { listOptions, listPaymentMethods } from '@ondine/contract/orders'
import { listReceipts } from '@ondine/contract/receipts'
import { cancelSubscription, listSubscriptions } from '@ondine/contract/subscriptions'
import { importVouchers } from '@ondine/contract/vouchers'
import { eq, sql } from 'drizzle-orm'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../test/builders.ts'
import { changeConfigurationOf } from '../../../test/configuration.ts'
import { CARDS, Purchases, SOLD } from '../../../test/purchases.ts'
import { testScene } from '../../../test/scene.ts'
import { DATABASES, NOON } from '../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../test/sold-titles.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { ProviderSilent } from '../payments/payment-provider.ts'
import { paymentMethods, payments } from '../payments/payments.table.ts'
import { sandboxPayments } from '../sandbox/sandbox.table.ts'
import { reconcileOrders } from './order-jobs.ts'
import { orders, subscriptionPeriods, subscriptions } from './orders.table.ts'
import { renewSubscriptions } from './renewal-jobs.ts'
import { settleOrder } from './settle-order.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 86_400_000
const TRIAL_END = NOON + 14 * DAY_MS
const PRESSES = Array.from({ length: 30 }, (_, index) => index)
/** Nothing is known of how it is paid. */
const NO_METHOD = { paymentData: undefined }

const OFFERS = `${SOLD}
  - { key: trial-yearly, type: subscription, name: { fra: Essai }, price: "40.00", every: year, trialDays: 14, plan: trial, packages: [sport] }
  - { key: trial-setup, type: subscription, name: { fra: Essai }, price: "4.00", every: month, trialDays: 14, setup: "1.00", packages: [sport] }
  - { key: trial-free, type: subscription, name: { fra: Essai }, price: "0", every: month, trialDays: 14, packages: [sport] }
`
const VOUCHERS = `
vouchers:
  - { key: setup, code: SETUP, percentage: 100, usesPerAccount: 10 }
`

describe.each(DATABASES)('a trial, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { actor: { tokenDays: 400 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles
  let operator: Record<string, string>

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell(OFFERS)
    operator = (await scene.make.operator()).tokens
    expect((await scene.service.call(importVouchers, { file: VOUCHERS }, operator)).error.code).toBe(0)
  })
  afterEach(async () => {
    scene.service.clock.set(NOON)
    await reconcile()
    // What a test leaves behind does not renew in the next one.
    await db().update(subscriptions).set({ endedAt: NOON })
    await db().update(subscriptionPeriods).set({ state: 'void' }).where(eq(subscriptionPeriods.state, 'due'))
  })

  const db = () => scene.service.context.db
  const at = async <Answer>(time: number, work: () => Promise<Answer>): Promise<Answer> => {
    scene.service.clock.set(time)
    try {
      return await work()
    } finally {
      scene.service.clock.set(NOON)
    }
  }
  const reconcile = async () => await reconcileOrders(shop.parts)
  /** Does what is due at a time. */
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
  const list = async ({ tokens }: Actor = scene.actor) =>
    (await scene.service.call(listSubscriptions, {}, tokens)).result
  const faults = async () => (await scene.service.call(checkLedger, {}, operator)).result.faults
  const atBank = async (orderId: number) => {
    const { key } = await shop.paymentOf(orderId)
    return eq(sandboxPayments.key, key)
  }
  /** What was charged for the periods after the trial, by order state. */
  const charges = async (actor?: Actor) =>
    (await ordersOf(actor))
      .filter(({ periodId }) => periodId !== null)
      .map(({ state, cents }) => [state, cents])
  /** Rents a film, so that the account has a saved card. @returns its name as a payment method */
  async function saveCard(card: string = CARDS.good, contentId = titles.encre): Promise<string> {
    const { orderId, action } = await shop.order(['rental'], contentId)
    await shop.pay(action, card)
    expect(await shop.status(orderId)).toBe('executed')
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

  describe('with a new card', () => {
    it('A4.8-03 A4.8-04 saves the card on the page of the bank, takes nothing, and charges it when it ends', async () => {
      const { orderId, action, amount } = await shop.order(['trial'])
      expect([amount, await shop.status(orderId)]).toEqual(['0.00', 'submitted'])
      expect(await shop.plays(titles.match)).toBe(-11)
      const { body } = await shop.page(action)
      expect(body).toContain('Rien n’est payé maintenant : la carte est enregistrée pour plus tard.')
      expect(body).toContain('>Enregistrer la carte</button>')
      expect(body).not.toMatch(/0,00|Payer/)
      await shop.pay(action)
      expect((await shop.page(action)).body).toContain('Carte enregistrée')
      expect(await shop.status(orderId)).toBe('executed')
      expect(await shop.plays(titles.match)).toBe(0)
      const [saved] = await methods()
      expect(saved).toMatchObject({ paymentBrand: 'visa', label: '•••• 4242', lastUsage: NOON / 1000 })
      expect(await list()).toMatchObject([{ next: { amount: '4.00' }, method: { label: '•••• 4242' } }])
      expect(await shop.movements(orderId)).toEqual({})
      expect((await scene.service.call(listReceipts, {}, scene.actor.tokens)).result).toEqual([])
      expect(await faults()).toEqual([])
      await work(TRIAL_END)
      expect(await charges()).toEqual([['executed', 400]])
      expect(await at(TRIAL_END, async () => await shop.plays(titles.match))).toBe(0)
      expect((await scene.service.call(listReceipts, {}, scene.actor.tokens)).result).toHaveLength(1)
      expect(await faults()).toEqual([])
    })

    it('is told of by the bank’s notice, though nobody looks', async () => {
      const { orderId, action } = await shop.order(['trial'])
      await shop.pay(action, CARDS.good, 'twice')
      const { bank } = shop
      await bank.sendNotices(async (payload, headers) => {
        const answer = await scene.service.app.inject({
          method: 'POST',
          url: '/payments/sandbox/notices',
          headers,
          payload,
        })
        return answer.statusCode === 200
      })
      expect(await stateOf(orderId)).toBe('executed')
      expect(await cardsOf()).toHaveLength(1)
    })

    it('goes on with another card after one that is declined', async () => {
      const { orderId, action } = await shop.order(['trial'])
      await shop.pay(action, CARDS.declined)
      expect((await shop.page(action)).body).toContain('a refusé cette carte')
      expect([await shop.status(orderId), await cardsOf()]).toEqual(['submitted', []])
      await shop.pay(action)
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('waits for a second factor', async () => {
      const { orderId, action } = await shop.order(['trial'])
      await shop.pay(action, CARDS.confirmed)
      expect(await shop.status(orderId)).toBe('submitted')
      expect((await shop.page(action)).body).toContain('Confirmez cette carte')
      await shop.press(action, { do: 'confirm' })
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('waits for a bank that answers late, past the time of the order', async () => {
      const { orderId, action } = await shop.order(['trial'])
      await at(NOON + QUARTER_MS - 1000, async () => await shop.pay(action, CARDS.late))
      expect(await at(NOON + QUARTER_MS, async () => await shop.status(orderId))).toBe('submitted')
      expect(await at(NOON + QUARTER_MS + 29_000, async () => await shop.status(orderId))).toBe('executed')
    })

    it('A4.2-07 fails when it is given up at the bank, and expires after 15 minutes', async () => {
      const first = await shop.order(['trial'])
      await shop.press(first.action, { do: 'cancel' })
      expect((await shop.page(first.action)).body).toContain('Enregistrement annulé')
      expect(await shop.status(first.orderId)).toBe('failed')
      const second = await shop.order(['trial'])
      expect(second.orderId).not.toBe(first.orderId)
      await at(NOON + QUARTER_MS, async () => {
        await shop.pay(second.action)
        expect(await shop.status(second.orderId)).toBe('expired')
      })
      expect([await shop.plays(titles.match), await cardsOf(), await faults()]).toEqual([-11, [], []])
    })

    it('is one order and one page, however often it is pressed', async () => {
      await shop.add(['trial'])
      const answers = await Promise.all(PRESSES.map(async () => await shop.ask()))
      expect(new Set(answers.map(({ status, result }) => `${status} ${result?.action}`)).size).toBe(1)
      await Promise.all(PRESSES.map(async () => await shop.pay(answers[0]?.result.action ?? '')))
      await Promise.all(
        PRESSES.map(async (press) =>
          press % 2 === 0 ? await reconcile() : await shop.status(answers[0]?.result.orderId ?? 0),
        ),
      )
      expect((await ordersOf()).map(({ state }) => state)).toEqual(['executed'])
      expect([await cardsOf(), await list()].map((all) => all.length)).toEqual([1, 1])
    })

    it('is retried like any renewal where the card is saved and does not pay', async () => {
      const { orderId, action } = await shop.order(['trial'])
      await shop.pay(action, CARDS.failsAtRenewal)
      expect(await shop.status(orderId)).toBe('executed')
      await work(TRIAL_END)
      expect(await charges()).toEqual([['failed', 400]])
      expect((await at(TRIAL_END, list)).map(({ next }) => next.step)).toEqual(['retries'])
    })

    it('is over without a charge when it is cancelled before its end', async () => {
      const { orderId, action } = await shop.order(['trial'])
      await shop.pay(action)
      await shop.status(orderId)
      const [{ id } = { id: 0 }] = await list()
      await scene.service.call(cancelSubscription, { subscriptionId: id }, scene.actor.tokens)
      await work(TRIAL_END)
      expect([await charges(), await at(TRIAL_END, async () => await shop.plays(titles.match))]).toEqual([
        [],
        -11,
      ])
      // A second one is none.
      expect((await at(TRIAL_END, async () => await shop.order(['trial']))).amount).toBe('4.00')
    })

    it('A3-26 is listed as waiting until the card is saved, with what is charged later', async () => {
      const { orderId, action } = await shop.order(['trial'])
      const listed = async () => (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
      expect(await listed()).toMatchObject([
        {
          statusId: 20,
          cartPrice: '0.00',
          cartTrialDays: 14,
          cartRenewals: [{ priceWithVat: '4.00', at: TRIAL_END / 1000 }],
        },
      ])
      await shop.pay(action)
      await shop.status(orderId)
      expect(await listed()).toMatchObject([{ statusId: 10, cartTrialDays: 0 }])
    })

    it('has its setup fee paid at once; where a voucher takes that off, the card is saved', async () => {
      const paid = await shop.order(['trial-setup'])
      expect(paid.amount).toBe('1.00')
      await shop.press(paid.action, { do: 'cancel' })
      await shop.status(paid.orderId)
      const { result } = await shop.ask({ voucher: 'SETUP' })
      expect([result.amount, result.action === null]).toEqual(['0.00', false])
      await shop.pay(result.action ?? '')
      expect(await shop.status(result.orderId)).toBe('executed')
      expect([await shop.movements(result.orderId), (await cardsOf()).length]).toEqual([{}, 1])
      expect(await faults()).toEqual([])
    })
  })

  describe('with a saved card', () => {
    it('needs nothing more: neither a page nor a word, and the card that was used last is charged', async () => {
      await saveCard()
      await shop.add(['trial'])
      const { result } = await shop.ask(NO_METHOD)
      expect([result.action, result.amount, await shop.status(result.orderId)]).toEqual([
        null,
        '0.00',
        'executed',
      ])
      await work(TRIAL_END)
      expect(await charges()).toEqual([['executed', 400]])
    })

    it('charges the one that was chosen, not the one that was used last', async () => {
      const chosen = await saveCard()
      await at(NOON + 1000, async () => await saveCard(CARDS.failsAtRenewal, titles.sel))
      await shop.add(['trial'])
      const { result } = await shop.ask({ paymentMethod: chosen })
      expect([result.action, await shop.status(result.orderId)]).toEqual([null, 'executed'])
      await at(NOON + DAY_MS, async () => await saveCard(CARDS.failsAtRenewal, titles.fort))
      await work(TRIAL_END)
      expect(await charges()).toEqual([['executed', 400]])
      expect(await faults()).toEqual([])
    })

    it('may be chosen while the page of a new one is open, which gives nothing more then', async () => {
      const paymentMethod = await saveCard()
      const first = await shop.order(['trial'])
      const { result } = await shop.ask({ paymentMethod })
      expect([result.orderId, result.action]).toEqual([first.orderId, null])
      expect(await stateOf(first.orderId)).toBe('executed')
      await shop.pay(first.action, CARDS.failsAtRenewal)
      await reconcile()
      expect([(await cardsOf()).length, (await list()).length, await faults()]).toEqual([1, 1, []])
    })

    it('asks for another one where it has expired', async () => {
      const paymentMethod = await saveCard(CARDS.expiresSoon)
      await at(NOON + 51 * DAY_MS, async () => {
        await shop.add(['trial'])
        expect((await shop.ask(NO_METHOD)).error.code).toBe(-2108)
        expect((await shop.ask({ paymentMethod })).error.code).toBe(-2109)
        expect((await shop.ask()).result.action).not.toBeNull()
      })
    })
  })

  describe('without a card', () => {
    it('A8.1-05 is refused, and nothing is ordered', async () => {
      await shop.add(['trial'])
      expect((await shop.ask(NO_METHOD)).error.code).toBe(-2108)
      const first = await shop.ask()
      // Neither does an order begin whose page is open.
      expect((await shop.ask(NO_METHOD)).error.code).toBe(-2108)
      expect((await ordersOf()).map(({ id, state }) => [id, state])).toEqual([
        [first.result.orderId, 'submitted'],
      ])
    })

    it('is refused with the card of another account, or of a provider that is not there', async () => {
      const paymentMethod = await saveCard()
      const other = await scene.make.actor()
      await shop.add(['trial'], undefined, other)
      expect((await shop.ask({ paymentMethod }, other)).error.code).toBe(-2109)
      const elsewhere = { paymentData: '{"brandBillingProviderId":6}' }
      expect((await shop.ask(elsewhere, other)).error.code).toBe(-2109)
      expect((await shop.ask(NO_METHOD, other)).error.code).toBe(-2108)
      await db()
        .update(paymentMethods)
        .set({ provider: 'gone' })
        .where(eq(paymentMethods.accountId, scene.actor.account.id))
      await shop.add(['trial'])
      expect((await shop.ask(NO_METHOD)).error.code).toBe(-2108)
      expect(await ordersOf(other)).toEqual([])
    })

    it('begins where the operator asks for none, and ends without one', async () => {
      await withoutCardAsked(async () => {
        await shop.add(['trial'])
        const { result } = await shop.ask(NO_METHOD)
        expect([result.action, await shop.status(result.orderId)]).toEqual([null, 'executed'])
      })
      expect(await shop.plays(titles.match)).toBe(0)
      await work(TRIAL_END)
      expect([await charges(), await list()]).toEqual([[], []])
    })

    it('begins there also after the page of a card was left', async () => {
      await withoutCardAsked(async () => {
        const first = await shop.order(['trial'])
        expect(first.action).not.toBe('')
        const { result } = await shop.ask(NO_METHOD)
        expect([result.orderId, result.action]).toEqual([first.orderId, null])
        expect(await stateOf(first.orderId)).toBe('executed')
      })
      expect([await cardsOf(), await faults()]).toEqual([[], []])
    })

    it('begins where nothing is ever charged', async () => {
      await shop.add(['trial-free'])
      const { result } = await shop.ask()
      expect([result.action, await shop.status(result.orderId)]).toEqual([null, 'executed'])
    })
  })

  describe('interrupted', () => {
    /** The card is saved at the bank, and nobody has told the service yet. */
    async function saved() {
      const order = await shop.order(['trial'])
      await shop.pay(order.action)
      expect(await stateOf(order.orderId)).toBe('submitted')
      return order
    }

    it('before the bank was asked: the next press begins the same order, or it expires', async () => {
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

    it('before a saved card was noted: the next press goes on', async () => {
      const paymentMethod = await saveCard()
      const first = await shop.order(['trial'])
      await db()
        .delete(sandboxPayments)
        .where(await atBank(first.orderId))
      expect((await shop.ask({ paymentMethod })).result.orderId).toBe(first.orderId)
      expect(await stateOf(first.orderId)).toBe('executed')
      expect(await faults()).toEqual([])
    })

    it('after the card was saved: the look of the screen finds it, and the job, however late', async () => {
      const { orderId } = await saved()
      expect(await shop.status(orderId)).toBe('executed')
      const other = await scene.make.actor()
      const theirs = await shop.order(['trial'], undefined, other)
      await shop.pay(theirs.action)
      await at(NOON + DAY_MS, reconcile)
      expect(await stateOf(theirs.orderId)).toBe('executed')
    })

    it('between the card and the rights: the card is known, nothing is half done, and the job goes on', async () => {
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

    it('by a bank that is silent: it stays open past its time, because the card may be saved', async () => {
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

    it('of one plan twice: one is executed, and nothing goes back for the other', async () => {
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

    it('decision 36: a card that comes after the order has expired gives no trial, and nothing goes back', async () => {
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

    it('A7.1-10 nor after an account was deleted during its trial, which ends uncharged', async () => {
      const leaves = await scene.make.actor()
      const { orderId, action } = await shop.order(['trial'], undefined, leaves)
      await shop.pay(action)
      await shop.status(orderId, leaves)
      await scene.service.call(anonymizeMe, {}, leaves.tokens)
      await work(TRIAL_END)
      expect([await charges(leaves), await cardsOf(leaves), await faults()]).toEqual([[], [], []])
    })
  })

  it('has nothing that an operator could give back', async () => {
    const { orderId, action } = await shop.order(['trial'])
    await shop.pay(action)
    await shop.status(orderId)
    expect((await scene.service.call(refundOrder, { idOrder: orderId }, operator)).error.code).toBe(-500)
    expect([(await list()).length, await shop.plays(titles.match)]).toEqual([1, 0])
  })

  it('keeps the ledger from a payment of less than nothing', async () => {
    const { orderId } = await shop.order(['trial'])
    const { id } = await shop.paymentOf(orderId)
    await expect(
      db().update(payments).set({ cents: -1 }).where(eq(payments.id, id)).execute(),
    ).rejects.toThrow()
  })

  it('of a suspended account goes on being saved, and an account that is open again has it', async () => {
    const { orderId, action } = await shop.order(['trial'])
    await shop.pay(action)
    await db().update(accounts).set({ status: 'SUSPENDED' }).where(eq(accounts.id, scene.actor.account.id))
    await reconcile()
    expect([await stateOf(orderId), (await cardsOf()).length]).toEqual(['executed', 1])
  })
})
