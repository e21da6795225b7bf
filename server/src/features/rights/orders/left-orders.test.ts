import { listOptions, OFFER_VALIDITY } from '@ondine/contract/orders'
import { beforeAll, describe, expect, it } from 'vitest'
import { Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { soldTitles } from '../../../../test/sold-titles.ts'

describe.each(MAIN_DB)('a cart next to an abandoned order, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  beforeAll(async () => await shop.sell())

  /** Returns the lines of the cart: for each line the offer, the title, the state, and the amount due. */
  const cart = async () =>
    (await scene.service.call(listOptions, {}, scene.actor.tokens)).result
      .filter(({ inCart }) => inCart)
      .map(({ idOption, idAsset, statusId, cartPrice }) => [idOption, idAsset, statusId, cartPrice])
  const { ordered, pendingPayment } = OFFER_VALIDITY

  it('A7.1-24 A7.1-30 orders another title by the same offer, and keeps this order when it is requested again', async () => {
    const rental = shop.idOf('rental')
    const left = await shop.order(['rental'], titles.encre)
    expect(await cart()).toEqual([[rental, titles.encre, pendingPayment, '3.99']])
    await shop.add(['rental'], titles.sel)
    expect(await cart()).toEqual([[rental, titles.sel, ordered, '3.99']])
    const { result } = await shop.ask({ amount: '3.99', renewals: [] })
    expect(result.orderId).not.toBe(left.orderId)
    expect(await cart()).toEqual([[rental, titles.sel, pendingPayment, '3.99']])
    expect((await shop.ask({ amount: '3.99', renewals: [] })).result).toEqual(result)
    // The customer pays on the abandoned payment page after all. The payment buys the title of the first order.
    await shop.pay(left.action)
    expect(await shop.status(left.orderId)).toBe('executed')
    expect(await shop.plays(titles.encre)).toBe(0)
    expect(await cart()).toEqual([[rental, titles.sel, pendingPayment, '3.99']])
  })

  it('A7.1-24 A7.1-30 orders a plan with an option when the plan alone was ordered before', async () => {
    const [plan, option] = [shop.idOf('cinema-monthly'), shop.idOf('ultra')]
    const left = await shop.order(['cinema-monthly'])
    await shop.add(['cinema-monthly', 'ultra'])
    expect(await cart()).toEqual([
      [plan, null, ordered, '8.99'],
      [option, null, ordered, '2.00'],
    ])
    const seen = { amount: '10.99', renewals: ['8.99', '2.00'] }
    const { status, result } = await shop.ask(seen)
    expect([status, result.amount]).toEqual([200, '10.99'])
    expect(result.orderId).not.toBe(left.orderId)
    expect((await shop.ask(seen)).result.orderId).toBe(result.orderId)
    await shop.add(['cinema-monthly'])
    expect(await cart()).toEqual([[plan, null, pendingPayment, '8.99']])
    expect((await shop.ask({ amount: '8.99' })).result.orderId).toBe(left.orderId)
  })

  it('A7.1-30 orders nothing for a page whose cart another page has replaced, at the same price or by an open order', async () => {
    const shows = (idAsset: number) => ({
      amount: '3.99',
      lines: [{ idOption: shop.idOf('rental'), idAsset }],
    })
    await shop.add(['rental'], titles.encre)
    await shop.add(['rental'], titles.sel)
    const refused = await shop.ask(shows(titles.encre))
    expect([refused.status, refused.error.code]).toEqual([409, -409])
    expect(await cart()).toEqual([[shop.idOf('rental'), titles.sel, ordered, '3.99']])
    const { orderId } = (await shop.ask(shows(titles.sel))).result
    expect((await shop.ask(shows(titles.encre))).error.code).toBe(-409)
    expect((await shop.ask({ lines: [] })).error.code).toBe(-409)
    expect((await shop.ask(shows(titles.sel))).result.orderId).toBe(orderId)
  })
})
