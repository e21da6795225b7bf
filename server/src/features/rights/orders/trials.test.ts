import { availableOffers } from '@ondine/contract/offers'
import type { InputOf } from '@ondine/contract/operation'
import { listOptions } from '@ondine/contract/orders'
import { listReceipts } from '@ondine/contract/receipts'
import { cancelSubscription, resumeSubscription } from '@ondine/contract/subscriptions'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { CARDS, DATA, RETURN } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { trialScene } from '../../../../test/trial-scene.ts'
import { paymentMethods } from '../payments/payments.table.ts'
import { subscriptions } from './orders.table.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 86_400_000
const TRIAL_END = NOON + 14 * DAY_MS
const PRESSES = Array.from({ length: 30 }, (_, index) => index)
/** Fields of a request without a payment method. */
const NO_METHOD = { paymentData: undefined }

describe.each(MAIN_DB)('a trial, on a database of kind %s', (kind) => {
  const {
    scene,
    shop,
    titles,
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
    charges,
    saveCard,
    withoutCardAsked,
  } = trialScene(kind)

  describe('with a new card', () => {
    it('A4.8-03 A4.8-04 saves the card on the page of the bank, takes no money, and charges the card when the trial ends', async () => {
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

    it('A2.3-12 is not offered again to an account that has used it', async () => {
      const { tokens } = scene.actor
      const offered = async (input: { contentId?: number } = {}, caller = tokens) => {
        const wanted = { contentType: 'VOD_ASSET' as const, ...input }
        const { result } = await scene.service.call(availableOffers, wanted, caller)
        return result.find(({ pricePeriodicity, plan }) => plan === 'trial' && pricePeriodicity === 'yearly')
          ?.trialDays
      }
      const ofContent = { contentId: titles.match }
      expect([await offered(), await offered(ofContent)]).toEqual([14, 14])
      const { orderId, action } = await shop.order(['trial'])
      await shop.pay(action)
      expect(await shop.status(orderId)).toBe('executed')
      expect([await offered(), await offered(ofContent)]).toEqual([0, 0])
      const options = await scene.service.call(listOptions, {}, tokens)
      expect(options.result).toMatchObject([{ idOption: shop.idOf('trial'), trialDays: 0 }])
      expect(await offered({}, (await scene.make.actor()).tokens)).toBe(14)
    })

    it('is executed by the notice of the bank, without a status call', async () => {
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

    it('continues with another card after a declined card', async () => {
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

    it('A4.2-07 fails when it is cancelled at the bank, and expires after 15 minutes', async () => {
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

    it('is one order and one page, however often it is requested', async () => {
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

    it('is retried like any renewal when the saved card does not pay', async () => {
      const { orderId, action } = await shop.order(['trial'])
      await shop.pay(action, CARDS.failsAtRenewal)
      expect(await shop.status(orderId)).toBe('executed')
      await work(TRIAL_END)
      expect(await charges()).toEqual([['failed', 400]])
      expect((await at(TRIAL_END, list)).map(({ next }) => next.step)).toEqual(['retries'])
    })

    it('ends without a charge when it is cancelled before its end', async () => {
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
      // The account has used its trial, so the second purchase costs the full price.
      expect((await at(TRIAL_END, async () => await shop.order(['trial']))).amount).toBe('4.00')
    })

    it('A3-26 is listed as waiting until the card is saved, with its later charges', async () => {
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

    it('charges its setup fee at once; when a voucher takes the fee off, the card is only saved', async () => {
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

  it('A4.8-03 asks for a card for free first periods, and charges it for the first paid period', async () => {
    await shop.add(['free-start'])
    expect((await shop.ask(NO_METHOD)).error.code).toBe(-2108)
    const { orderId, action, amount } = await shop.order(['free-start'])
    expect([amount, action === '']).toEqual(['0.00', false])
    await shop.pay(action)
    expect(await shop.status(orderId)).toBe('executed')
    await work(Date.UTC(2026, 1, 15, 12))
    await work(Date.UTC(2026, 2, 15, 12))
    expect(await charges()).toEqual([
      ['executed', 0],
      ['executed', 400],
    ])
  })

  describe('with a saved card', () => {
    it('needs neither a page nor payment data, and charges the card that was used last', async () => {
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

    it('charges the chosen card, not the card that was used last', async () => {
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

    it('can begin while the page for a new card is open; the page then gives nothing more', async () => {
      const paymentMethod = await saveCard()
      const first = await shop.order(['trial'])
      const { result } = await shop.ask({ paymentMethod })
      expect([result.orderId, result.action]).toEqual([first.orderId, null])
      expect(await stateOf(first.orderId)).toBe('executed')
      await shop.pay(first.action, CARDS.failsAtRenewal)
      await reconcile()
      expect([(await cardsOf()).length, (await list()).length, await faults()]).toEqual([1, 1, []])
    })

    it('asks for another card when the saved card has expired', async () => {
      const paymentMethod = await saveCard(CARDS.expiresSoon)
      await at(NOON + 51 * DAY_MS, async () => {
        await shop.add(['trial'])
        expect((await shop.ask(NO_METHOD)).error.code).toBe(-2108)
        expect((await shop.ask({ paymentMethod })).error.code).toBe(-2109)
        expect((await shop.ask()).result.action).not.toBeNull()
      })
    })
  })

  it('A4.8-03 charges a valid card when the card used last has expired', async () => {
    await saveCard(CARDS.good)
    const expired = Number((await saveCard(CARDS.failsAtRenewal, titles.sel)).replace('saved-', ''))
    await db().update(paymentMethods).set({ expiresAt: NOON }).where(eq(paymentMethods.id, expired))
    await shop.add(['trial'])
    expect((await shop.ask(NO_METHOD)).status).toBe(200)
    await work(TRIAL_END)
    expect(await charges()).toEqual([['executed', 400]])
  })

  describe('without a card', () => {
    it('A8.1-05 is refused, and nothing is ordered', async () => {
      await shop.add(['trial'])
      expect((await shop.ask(NO_METHOD)).error.code).toBe(-2108)
      const first = await shop.ask()
      // A request without a payment method is also rejected while the order's payment page is open.
      expect((await shop.ask(NO_METHOD)).error.code).toBe(-2108)
      expect((await ordersOf()).map(({ id, state }) => [id, state])).toEqual([
        [first.result.orderId, 'submitted'],
      ])
    })

    it('is refused with the card of another account, or of an unknown provider', async () => {
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

    it('begins when the operator asks for no card, and ends without a charge', async () => {
      await withoutCardAsked(async () => {
        await shop.add(['trial'])
        const { result } = await shop.ask(NO_METHOD)
        expect([result.action, await shop.status(result.orderId)]).toEqual([null, 'executed'])
      })
      expect(await shop.plays(titles.match)).toBe(0)
      await work(TRIAL_END)
      expect([await charges(), await list()]).toEqual([[], []])
    })

    it('begins when the operator asks for no card, even after the page for a card was left', async () => {
      await withoutCardAsked(async () => {
        const first = await shop.order(['trial'])
        expect(first.action).not.toBe('')
        const { result } = await shop.ask(NO_METHOD)
        expect([result.orderId, result.action]).toEqual([first.orderId, null])
        expect(await stateOf(first.orderId)).toBe('executed')
      })
      expect([await cardsOf(), await faults()]).toEqual([[], []])
    })

    describe('after it was cancelled', () => {
      /** Begins a trial without a card, and cancels it. @returns the id of the subscription */
      async function cancelled(): Promise<number> {
        await withoutCardAsked(async () => {
          await shop.add(['trial'])
          await shop.ask(NO_METHOD)
        })
        const { id } = await shop.onlySubscription()
        await scene.service.call(cancelSubscription, { subscriptionId: id }, scene.actor.tokens)
        return id
      }
      const resume = async (fields: Omit<InputOf<typeof resumeSubscription>, 'parentalProof'>) =>
        await scene.service.call(resumeSubscription, fields, scene.actor.tokens)
      const NEW = { returnUrl: RETURN, paymentData: DATA }

      it('A4.8-03 is resumed with a new card, which is charged when the trial ends', async () => {
        const subscriptionId = await cancelled()
        const { result } = await resume({ subscriptionId, ...NEW })
        expect(result).toMatchObject({ statusId: 40, payment: { amount: '0.00' } })
        // A repeated request opens the same page.
        expect((await resume({ subscriptionId, ...NEW })).result.payment).toEqual(result.payment)
        await shop.pay(result.payment?.action ?? '')
        expect(await shop.status(result.payment?.orderId ?? 0)).toBe('executed')
        expect(await list()).toMatchObject([
          {
            statusId: 10,
            next: { step: 'renews', at: TRIAL_END / 1000, amount: '4.00' },
            method: { brand: 'visa' },
          },
        ])
        expect(await shop.movements(result.payment?.orderId ?? 0)).toEqual({})
        await work(TRIAL_END)
        expect([await charges(), await faults()]).toEqual([[['executed', 400]], []])
      })

      it('A4.8-03 is resumed with a saved card at once', async () => {
        const paymentMethod = await saveCard()
        const subscriptionId = await cancelled()
        const { result } = await resume({ subscriptionId, paymentData: DATA, paymentMethod })
        expect(result).toMatchObject({ statusId: 10, next: { step: 'renews' }, payment: null })
      })

      it('stays cancelled if no card is saved on the page', async () => {
        const subscriptionId = await cancelled()
        const { result } = await resume({ subscriptionId, ...NEW })
        expect(await shop.status(result.payment?.orderId ?? 0)).toBe('submitted')
        await work(NOON + 20 * 60_000)
        expect(await stateOf(result.payment?.orderId ?? 0)).toBe('expired')
        expect(await list()).toMatchObject([{ statusId: 40, next: { step: 'ends' } }])
        // The page of an expired order does not keep another one from being opened.
        await at(NOON + 21 * 60_000, async () =>
          expect((await resume({ subscriptionId, ...NEW })).result.payment?.orderId).not.toBe(
            result.payment?.orderId,
          ),
        )
      })

      it('gives no subscription that ended before its card was saved', async () => {
        const subscriptionId = await cancelled()
        const { result } = await resume({ subscriptionId, ...NEW })
        await at(NOON + 60_000, async () => {
          await db().update(subscriptions).set({ endedAt: NOON }).where(eq(subscriptions.id, subscriptionId))
          await shop.pay(result.payment?.action ?? '')
          expect(await shop.status(result.payment?.orderId ?? 0)).toBe('failed')
        })
        expect([await list(), (await cardsOf()).length, await faults()]).toEqual([[], 1, []])
      })

      it('is resumed without a card by older applications, and still ends', async () => {
        const subscriptionId = await cancelled()
        expect((await resume({ subscriptionId })).result).toMatchObject({
          statusId: 10,
          next: { step: 'ends' },
          payment: null,
        })
      })

      it('needs a return address for a new card, and no card of others', async () => {
        const subscriptionId = await cancelled()
        expect((await resume({ subscriptionId, paymentData: DATA })).status).toBe(400)
        expect(
          (await resume({ subscriptionId, paymentData: DATA, paymentMethod: 'saved-999' })).error.code,
        ).toBe(-2109)
        expect(await list()).toMatchObject([{ statusId: 40 }])
      })
    })

    it('is never charged to a card of other purchases, saved before it or during it', async () => {
      await saveCard()
      await withoutCardAsked(async () => {
        await shop.add(['trial'])
        const { result } = await shop.ask(NO_METHOD)
        expect([result.action, await shop.status(result.orderId)]).toEqual([null, 'executed'])
      })
      await at(NOON + DAY_MS, async () => await saveCard(CARDS.good, titles.sel))
      expect(await list()).toMatchObject([{ method: null, next: { step: 'ends', at: TRIAL_END / 1000 } }])
      await work(TRIAL_END)
      expect([await charges(), await list()]).toEqual([[], []])
    })

    it('like a plan that a voucher paid whole, ends with the period, whatever other cards are saved', async () => {
      await shop.add(['cinema-monthly'])
      const { result } = await shop.ask({ ...NO_METHOD, voucher: 'SETUP' })
      expect([result.amount, await shop.status(result.orderId)]).toEqual(['0.00', 'executed'])
      await saveCard()
      expect(await list()).toMatchObject([{ method: null, next: { step: 'ends' } }])
      await work(Date.UTC(2026, 1, 15, 12))
      expect([await charges(), await list()]).toEqual([[], []])
    })

    it('begins when the plan is free', async () => {
      await shop.add(['trial-free'])
      const { result } = await shop.ask()
      expect([result.action, await shop.status(result.orderId)]).toEqual([null, 'executed'])
    })
  })
})
