import { anonymizeMe } from '@ondine/contract/account-calls'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import type { Fault } from '../../../../test/fake-stripe.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { stripePayments } from '../../../../test/stripe-payments.ts'
import { checkLedger } from '../accounting/check-ledger.ts'
import { orders } from '../orders/orders.table.ts'
import { renewSubscriptions } from '../orders/renewals.service.ts'
import type { PaymentProvider } from '../payments/payment-provider.ts'
import { paymentMethods } from '../payments/payments.table.ts'

const MINUTE_MS = 60_000
const PRESSES = Array.from({ length: 20 }, (_, index) => index)

describe.each(MAIN_DB)('Stripe payments, on a database of kind %s', (kind) => {
  const {
    stripe,
    scene,
    shop,
    titles,
    setClock,
    db,
    provider,
    reconcile,
    stateOf,
    keyOf,
    charged,
    sessionOf,
    press,
    saveCard,
    send,
    failing,
  } = stripePayments(kind)

  describe('of nothing, which save a card for a trial', () => {
    const TRIAL_END = NOON + 14 * 24 * 60 * MINUTE_MS
    async function begin(actor: Actor = scene.actor) {
      await shop.add(['trial'], undefined, actor)
      const { status, result, error } = await press({}, actor)
      if (status !== 200) throw new Error(JSON.stringify(error))
      return { orderId: result.orderId, action: result.action ?? '' }
    }
    const cardsOf = async ({ account }: Actor = scene.actor) =>
      await db().select().from(paymentMethods).where(eq(paymentMethods.accountId, account.id))
    const faults = async () =>
      (
        await checkLedger({
          ...scene.service.context,
          providers: new Map<string, PaymentProvider>([
            ['stripe', provider()],
            ['sandbox', shop.bank],
          ]),
        })
      ).faults
    const ordersOfActor = async () =>
      await db().select().from(orders).where(eq(orders.accountId, scene.actor.account.id)).orderBy(orders.id)
    /** Runs the renewals that are due at `time`. @returns the names of the e-mails to customers */
    async function renew(time: number): Promise<string[]> {
      setClock(time)
      const letters: string[] = []
      await renewSubscriptions({
        ...shop.parts,
        providers: new Map([['stripe', provider()]]),
        originOf: () => 'http://localhost',
        mail: { order: async (...asked) => void letters.push(...asked.map(({ letter }) => letter)) },
      })
      return letters
    }

    it('A4.8-04 open a page that takes no money, and charge the card when the trial ends', async () => {
      const { orderId, action } = await begin()
      const session = sessionOf(action)
      expect(session).toMatchObject({ mode: 'setup', amount_total: null, locale: 'fr', status: 'open' })
      expect(session?.success_url).toBe(`http://localhost/offers/confirmation?orderId=${orderId}`)
      expect(session?.cancel_url).toBe(`http://localhost/offers/confirmation?orderId=${orderId}&left=1`)
      expect(stripe.setups.get(session?.setup_intent ?? '')).toMatchObject({
        usage: 'off_session',
        description: 'Essai',
        customer: session?.customer,
        metadata: { key: await keyOf(orderId) },
      })
      expect(await shop.status(orderId)).toBe('submitted')
      expect(stripe.pay(action)).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await shop.plays(titles.match)).toBe(0)
      expect([await charged(orderId), await shop.movements(orderId)]).toEqual([0, {}])
      expect(await cardsOf()).toMatchObject([
        { provider: 'stripe', lastDigits: '4242', lastUsedAt: NOON, expiresAt: Date.UTC(2031, 8) },
      ])
      expect(await faults()).toEqual([])
      await renew(TRIAL_END)
      const [renewal] = (await db().select().from(orders).where(eq(orders.accountId, scene.actor.account.id)))
        .filter(({ periodId }) => periodId !== null)
        .map(({ id, state }) => ({ id, state }))
      expect(renewal?.state).toBe('executed')
      expect(await charged(renewal?.id ?? 0)).toBe(400)
      expect(await faults()).toEqual([])
    })

    it.each([
      ['is paid', true],
      ['expires, and is not called declined', false],
    ])(
      'lead to a page, for which the customer has 23 hours, when the bank requires the customer then: it %s',
      async (_end, isConfirmed) => {
        const { action } = await begin()
        stripe.pay(action, 'confirmedLater')
        expect(await shop.status((await ordersOfActor())[0]?.id ?? 0)).toBe('executed')
        const asked = await renew(TRIAL_END)
        const renewal = (await ordersOfActor()).find(({ periodId }) => periodId !== null)
        expect(renewal).toMatchObject({ state: 'submitted', expiresAt: TRIAL_END + 23 * 60 * MINUTE_MS })
        const session = [...stripe.sessions.values()].at(-1)
        expect(session).toMatchObject({ mode: 'payment', status: 'open' })
        expect(asked).toEqual(['paymentToConfirm'])
        const unanswered = session?.url ?? ''
        if (!isConfirmed) {
          setClock(TRIAL_END + 23 * 60 * MINUTE_MS)
          await reconcile()
          expect(await stateOf(renewal?.id ?? 0)).toBe('expired')
          expect(await renew(TRIAL_END + 23 * 60 * MINUTE_MS)).toEqual(['paymentUnconfirmed'])
          return
        }
        expect(stripe.pay(unanswered)).toBe(true)
        await reconcile()
        expect(await stateOf(renewal?.id ?? 0)).toBe('executed')
        expect(await charged(renewal?.id ?? 0)).toBe(400)
      },
    )

    it('use one page for concurrent presses', async () => {
      await shop.add(['trial'])
      const answers = await Promise.all(PRESSES.map(async () => await press()))
      expect(new Set(answers.map(({ status, result }) => `${status} ${result?.action}`)).size).toBe(1)
    })

    it('stay open after a declined card', async () => {
      const { orderId, action } = await begin()
      expect(stripe.pay(action, 'declined')).toBe(false)
      expect([await shop.status(orderId), await cardsOf()]).toEqual(['submitted', []])
      expect(stripe.pay(action)).toBe(true)
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('A4.2-07 expire with their order: Stripe takes no card from then on', async () => {
      const { orderId, action } = await begin()
      setClock(NOON + 15 * MINUTE_MS)
      expect(await shop.status(orderId)).toBe('expired')
      expect(stripe.pay(action)).toBe(false)
      expect(await cardsOf()).toEqual([])
    })

    it('that were completed in time start the trial, however late that is reported', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action)
      setClock(NOON + 60 * MINUTE_MS)
      await reconcile()
      expect(await stateOf(orderId)).toBe('executed')
    })

    it('wait for a bank past the time of the order, and start it or not by its answer', async () => {
      const [accepts, refuses] = [await begin(), await begin(await scene.make.actor())]
      for (const { action } of [accepts, refuses]) stripe.pay(action, 'waits')
      setClock(NOON + 20 * MINUTE_MS)
      await reconcile()
      expect([await stateOf(accepts.orderId), await stateOf(refuses.orderId)]).toEqual([
        'submitted',
        'submitted',
      ])
      stripe.answerBank(await keyOf(accepts.orderId), true)
      stripe.answerBank(await keyOf(refuses.orderId), false)
      await reconcile()
      expect([await stateOf(accepts.orderId), await stateOf(refuses.orderId)]).toEqual([
        'executed',
        'expired',
      ])
    })

    it('fail when the bank refuses the card of a completed page', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action, 'waits')
      stripe.answerBank(await keyOf(orderId), false)
      expect(await shop.status(orderId)).toBe('failed')
      expect((await begin()).orderId).not.toBe(orderId)
    })

    it('are reported by notices, twice, in another order, and late', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action)
      const types = stripe.notices.map((body) => JSON.parse(body).type)
      expect(types).toEqual(['setup_intent.succeeded', 'checkout.session.completed'])
      for (const body of stripe.notices)
        expect(JSON.parse(body).data.object.metadata.key).toBe(await keyOf(orderId))
      expect(await send([...stripe.notices].toReversed())).toEqual([200, 200])
      expect(await stateOf(orderId)).toBe('executed')
      setClock(NOON + 60 * MINUTE_MS)
      expect(await send(stripe.notices)).toEqual([200, 200])
      expect(await cardsOf()).toHaveLength(1)
    })

    it('trust no notice: none starts a trial if its card was not saved', async () => {
      const { orderId, action } = await begin()
      const setup = stripe.setups.get(sessionOf(action)?.setup_intent ?? '')
      const object = { ...setup, status: 'succeeded', payment_method: 'pm_1' }
      const event = { id: 'evt', object: 'event', type: 'setup_intent.succeeded', data: { object } }
      expect(await send([JSON.stringify(event)])).toEqual([200])
      expect([await stateOf(orderId), await cardsOf()]).toEqual(['submitted', []])
    })

    it.each<[Fault]>([['silent'], ['silentAfter'], ['error'], ['errorAfter'], ['busy']])(
      'interrupted by an answer %s to the page, can be started again',
      async (fault) => {
        await shop.add(['trial'])
        failing(/POST .*checkout/, fault)
        expect((await press()).error.code).toBe(-505)
        stripe.fault = () => undefined
        const { result } = await press()
        expect(stripe.pay(result.action ?? '')).toBe(true)
        expect(await shop.status(result.orderId)).toBe('executed')
        expect(await faults()).toEqual([])
      },
    )

    it('while Stripe does not answer, the order stays open past its time', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action)
      failing(/./, 'silent')
      setClock(NOON + 20 * MINUTE_MS)
      expect(await shop.status(orderId)).toBe('submitted')
      stripe.fault = () => undefined
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('need no call to Stripe if a saved card is chosen', async () => {
      const paymentMethod = await saveCard('good')
      const { orderId } = await begin()
      stripe.requests.length = 0
      expect((await press({ paymentMethod })).result).toMatchObject({ orderId, action: null })
      expect([await stateOf(orderId), stripe.requests]).toEqual(['executed', []])
      const other = await scene.make.actor()
      await shop.add(['trial'], undefined, other)
      expect((await press({ paymentMethod }, other)).error.code).toBe(-2109)
    })

    it('have no money in Stripe’s books, and nothing to refund', async () => {
      const { orderId, action } = await begin()
      stripe.pay(action)
      await shop.status(orderId)
      const key = await keyOf(orderId)
      expect(await provider().bookOf(key)).toEqual({ received: 0, refunded: 0, isTakenBack: false })
      await expect(provider().refund(key)).rejects.toThrow('cannot be refunded')
      // A payment of 0 cents is not refunded, not even for an expired order.
      await db().update(orders).set({ state: 'expired' }).where(eq(orders.id, orderId))
      await reconcile()
      expect((await shop.paymentOf(orderId)).state).toBe('succeeded')
      expect(stripe.requests).not.toContain('POST /v1/refunds')
      await db().update(orders).set({ state: 'executed' }).where(eq(orders.id, orderId))
    })

    it('keep no card of an account that was deleted meanwhile', async () => {
      const leaves = await scene.make.actor()
      const { orderId, action } = await begin(leaves)
      const customer = sessionOf(action)?.customer ?? ''
      expect((await scene.service.call(anonymizeMe, {}, leaves.tokens)).status).toBe(200)
      expect(await provider().forgetCustomers()).toBe(0)
      stripe.pay(action)
      await reconcile()
      expect([await stateOf(orderId), await cardsOf(leaves)]).toEqual(['failed', []])
      expect(await provider().forgetCustomers()).toBe(1)
      expect(stripe.customers.has(customer)).toBe(false)
    })
  })
})
