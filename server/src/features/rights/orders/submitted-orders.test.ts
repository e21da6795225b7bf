import { importOffers, withdrawOffer } from '@ondine/contract/offers'
import { checkOrderStatus, listOptions } from '@ondine/contract/orders'
import { describe, expect, it } from 'vitest'
import { checkoutScene, DAY_MS, QUARTER_MS } from '../../../../test/checkout-scene.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { SOLD } from '../../../../test/purchases.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'

describe.each(MAIN_DB)('an order that was submitted, on a database of kind %s', (kind) => {
  const { scene, shop, titles, at, ordersOf, methods, buy } = checkoutScene(kind)

  it('keeps the amount and the terms with which it was submitted', async () => {
    const { orderId, action, amount } = await shop.order(['rental'], titles.encre)
    const { tokens } = await scene.make.operator()
    const dearer = SOLD.replace('price: "3.99"', 'price: "9.99"').replace(
      'class: recent',
      'class: recent, hours: 1',
    )
    await scene.service.call(importOffers, { file: dearer }, tokens)
    try {
      // The cart was shown at the old price. Nothing is ordered at the new price, which the customer has not seen.
      expect((await shop.ask()).error.code).toBe(-409)
      await shop.pay(action)
      expect([amount, await shop.status(orderId)]).toEqual(['3.99', 'executed'])
      expect((await shop.paymentOf(orderId)).cents).toBe(399)
      expect(await at(NOON + 29 * DAY_MS, async () => await shop.plays(titles.encre))).toBe(0)
    } finally {
      await scene.service.call(importOffers, { file: SOLD }, tokens)
    }
  })

  it('empties the cart when it is paid, also if the terms of its offer have changed since', async () => {
    const { action, orderId } = await shop.order(['rental'], titles.encre)
    const { tokens } = await scene.make.operator()
    const inCart = async () =>
      (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
        .filter((line) => line.inCart)
        .map(({ idAsset }) => idAsset)
    await scene.service.call(importOffers, { file: SOLD.replace('price: "3.99"', 'price: "9.99"') }, tokens)
    try {
      // The cart takes the new price.
      expect((await shop.ask()).error.code).toBe(-409)
      await shop.pay(action)
      expect(await shop.status(orderId)).toBe('executed')
      expect(await inCart()).toEqual([])
      // A cart with another title stays.
      const other = await shop.order(['rental'], titles.sel)
      await shop.add(['rental'], titles.encre)
      await shop.pay(other.action)
      expect(await shop.status(other.orderId)).toBe('executed')
      expect(await inCart()).toEqual([titles.encre])
    } finally {
      await scene.service.call(importOffers, { file: SOLD }, tokens)
    }
  })

  it('an offer that goes off sale after it was added to the cart is not ordered', async () => {
    await shop.add(['sport'])
    const { tokens } = await scene.make.operator()
    const ended = SOLD.replace(
      'excludes: [cinema-yearly]',
      'excludes: [cinema-yearly], validTo: "2026-01-15T13:00:00Z"',
    )
    await scene.service.call(importOffers, { file: ended }, tokens)
    try {
      await shop.add(['sport'])
      expect(await at(NOON + 3_600_000, async () => (await shop.ask()).error.code)).toBe(-1605)
      expect(await ordersOf()).toEqual([])
    } finally {
      await scene.service.call(importOffers, { file: SOLD }, tokens)
    }
  })

  it('can be made after an offer has changed: the cart takes the new price, which the customer sees first', async () => {
    await shop.add(['rental'], titles.encre)
    const { tokens } = await scene.make.operator()
    await scene.service.call(importOffers, { file: SOLD.replace('price: "3.99"', 'price: "9.99"') }, tokens)
    try {
      expect((await shop.ask({ amount: '3.99' })).error.code).toBe(-409)
      const { result: lines } = await scene.service.call(listOptions, {}, scene.actor.tokens)
      expect(lines).toMatchObject([{ cartPrice: '9.99', inCart: true, idAsset: titles.encre }])
      expect((await shop.ask({ amount: '3.99' })).error.code).toBe(-409)
      expect((await shop.ask({ amount: '9.99' })).result.amount).toBe('9.99')
    } finally {
      await scene.service.call(importOffers, { file: SOLD }, tokens)
    }
  })

  it('can be made after an offer was withdrawn: its line leaves the cart, with the options that need it', async () => {
    await shop.add(['cinema-yearly', 'ultra'])
    const { tokens } = await scene.make.operator()
    await scene.service.call(withdrawOffer, { key: 'cinema-yearly' }, tokens)
    try {
      expect((await shop.ask()).error.code).toBe(-1605)
      expect((await scene.service.call(listOptions, {}, scene.actor.tokens)).result).toEqual([])
      await shop.add(['sport'])
      expect((await shop.ask()).error.code).toBe(0)
    } finally {
      await scene.service.call(importOffers, { file: SOLD }, tokens)
    }
  })

  it('can be made after the operator has stopped selling this kind of offer: the cart is empty', async () => {
    await shop.add(['rental'], titles.encre)
    const change = await changeConfigurationOf(scene.service, { 'offers.transactional': 'disabled' })
    try {
      expect((await shop.ask()).error.code).toBe(-1605)
      expect((await shop.ask()).error.code).toBe(-500)
    } finally {
      await change.undo()
    }
  })

  it('A7.2-02 is not found by another account, and an unknown order is not found either', async () => {
    const { orderId } = await shop.order(['rental'], titles.encre)
    const other = await scene.make.actor()
    const asked = async (id: number) =>
      (await scene.service.call(checkOrderStatus, { orderId: id }, other.tokens)).error.code
    expect([await asked(orderId), await asked(2_000_000_000)]).toEqual([-404, -404])
    for (const orderId of ['', '-1', '1.5', 'x', '99999999999']) {
      const url = `${checkOrderStatus.path}?orderId=${orderId}`
      const answer = await scene.service.app.inject({ url, headers: scene.actor.tokens })
      expect([answer.statusCode, answer.json().error.details.fields[0].field]).toEqual([400, 'orderId'])
    }
  })

  it('spec 36: expires after 15 minutes without a payment, and its page then takes no money', async () => {
    const { orderId, action } = await shop.order(['rental'], titles.encre)
    expect(await at(NOON + QUARTER_MS - 1, async () => await shop.status(orderId))).toBe('submitted')
    await at(NOON + QUARTER_MS, async () => {
      expect((await shop.page(action)).body).toContain('a expiré')
      await shop.pay(action)
      expect(await shop.status(orderId)).toBe('expired')
    })
    expect(await shop.plays(titles.encre)).toBe(-11)
    expect(await shop.movements(orderId)).toEqual({})
  })

  it('that has expired makes way for a new order of the same offer', async () => {
    const first = await shop.order(['rental'], titles.encre)
    const second = await at(NOON + QUARTER_MS, async () => await shop.order(['rental'], titles.encre))
    expect(second.orderId).not.toBe(first.orderId)
    expect(await shop.status(first.orderId)).toBe('expired')
  })

  it('stays the same when it is requested again, on the same page, even with another card', async () => {
    await buy(['cinema-monthly'])
    const [saved] = await methods()
    const first = await shop.order(['rental'], titles.encre)
    const again = await shop.order(['rental'], titles.encre)
    expect(again).toEqual(first)
    const { result } = await shop.ask({ paymentMethod: saved?.paymentMethod })
    expect([result.orderId, result.action]).toEqual([first.orderId, null])
    // The payment page of the first request must not take a second payment.
    await shop.pay(first.action)
    expect(await shop.status(first.orderId)).toBe('executed')
    expect(Object.keys(await shop.movements(first.orderId)).toSorted()).toEqual(['payment', 'sale'])
  })
})
