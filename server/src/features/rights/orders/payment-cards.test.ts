import { describe, expect, it } from 'vitest'
import { checkoutScene, QUARTER_MS } from '../../../../test/checkout-scene.ts'
import { CARDS } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'

describe.each(MAIN_DB)('cards at a checkout, on a database of kind %s', (kind) => {
  const { shop, titles, at, subscriptionOf, methods, buy } = checkoutScene(kind)

  it('a declined card leaves the page open for another one', async () => {
    const { orderId, action } = await shop.order(['rental'], titles.encre)
    await shop.pay(action, CARDS.declined)
    expect((await shop.page(action)).body).toContain('a refusé cette carte')
    expect(await shop.status(orderId)).toBe('submitted')
    await shop.pay(action)
    expect(await shop.status(orderId)).toBe('executed')
  })

  it('a second factor is confirmed on the page', async () => {
    const { orderId, action } = await shop.order(['rental'], titles.encre)
    await shop.pay(action, CARDS.confirmed)
    expect(await shop.status(orderId)).toBe('submitted')
    expect((await shop.page(action)).body).toContain('Confirmez ce paiement')
    await shop.press(action, { do: 'confirm' })
    expect(await shop.status(orderId)).toBe('executed')
  })

  it('a confirmation that no card asked for has no effect', async () => {
    const { orderId, action } = await shop.order(['rental'], titles.encre)
    await shop.press(action, { do: 'confirm' })
    expect(await shop.status(orderId)).toBe('submitted')
  })

  it('a payment that is cancelled fails, and the cart can be paid again', async () => {
    const first = await shop.order(['rental'], titles.encre)
    await shop.press(first.action, { do: 'cancel' })
    expect(await shop.status(first.orderId)).toBe('failed')
    const { result } = await shop.ask()
    expect(result.orderId).not.toBe(first.orderId)
    await shop.pay(first.action)
    expect(await shop.status(first.orderId)).toBe('failed')
    expect(await shop.plays(titles.encre)).toBe(-11)
  })

  it('a bank that answers late keeps the order open past its time, and its success counts', async () => {
    const { orderId, action } = await shop.order(['rental'], titles.encre)
    await at(NOON + QUARTER_MS - 1000, async () => await shop.pay(action, CARDS.late))
    expect(await at(NOON + QUARTER_MS, async () => await shop.status(orderId))).toBe('submitted')
    await at(NOON + QUARTER_MS + 29_000, async () => {
      expect(await shop.status(orderId)).toBe('executed')
      expect(await shop.plays(titles.encre)).toBe(0)
    })
  })

  it('A7.1-28 A3-28 a card that has paid is listed first, and pays without a page', async () => {
    expect(await methods()).toEqual([
      {
        brandBillingProviderId: 5,
        paymentProvider: 'sandbox',
        paymentBrand: 'card',
        paymentMethod: 'new',
        label: null,
        lastUsage: null,
        hasDashboard: false,
      },
    ])
    await buy(['cinema-monthly'])
    const [saved, fresh] = await methods()
    expect(saved).toMatchObject({ paymentBrand: 'visa', label: '•••• 4242', lastUsage: NOON / 1000 })
    expect(fresh).toMatchObject({ paymentMethod: 'new' })
    expect((await subscriptionOf())?.methodId).toBe(Number(saved?.paymentMethod.replace('saved-', '')))
    await shop.add(['rental'], titles.encre)
    const { result } = await shop.ask({
      paymentBrand: saved?.paymentBrand,
      paymentMethod: saved?.paymentMethod,
    })
    expect(result.action).toBeNull()
    expect(await shop.status(result.orderId)).toBe('executed')
    expect(await shop.plays(titles.encre)).toBe(0)
  })

  it('a saved card may be refused, ask for a second factor, or leave its charge unanswered', async () => {
    const outcomes: unknown[] = []
    let now = NOON
    for (const [card, key] of [
      [CARDS.failsAtRenewal, 'cinema-monthly'],
      [CARDS.confirmed, 'sport'],
      [CARDS.late, 'season'],
    ] as const) {
      const plan = await shop.order([key])
      await shop.pay(plan.action, card)
      if (card === CARDS.confirmed) await shop.press(plan.action, { do: 'confirm' })
      const paid = async () => await shop.status(plan.orderId)
      expect(await at(NOON + 30_000, paid)).toBe('executed')
      const label = `•••• ${card.slice(-4)}`
      const paymentMethod = (await methods()).find((each) => each.label === label)?.paymentMethod
      // Each rental is ordered after the one before it, which a rental of the same title may follow.
      now += 60_000
      const orderId = await at(now, async () => {
        await shop.add(['rental'], titles.encre)
        const { result } = await shop.ask({ paymentMethod })
        outcomes.push([result.action !== null, await shop.status(result.orderId)])
        if (result.action !== null) await shop.press(result.action, { do: 'confirm' })
        return result.orderId
      })
      outcomes.push(await at(now + 30_000, async () => await shop.status(orderId)))
    }
    expect(outcomes).toEqual([
      [false, 'failed'],
      'failed',
      [true, 'submitted'],
      'executed',
      [false, 'submitted'],
      'executed',
    ])
  })
})
