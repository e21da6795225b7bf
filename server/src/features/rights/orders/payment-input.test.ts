import { askPayment } from '@ondine/contract/orders'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { checkoutScene } from '../../../../test/checkout-scene.ts'
import { DATA, RETURN } from '../../../../test/purchases.ts'
import { MAIN_DB } from '../../../../test/service.ts'
import { sandboxPayments } from '../sandbox/sandbox.table.ts'

describe.each(MAIN_DB)('bad input at a checkout, on a database of kind %s', (kind) => {
  const { scene, shop, titles, ordersOf, methods, buy } = checkoutScene(kind)

  /** Calls `askPayment` with raw form fields. @returns HTTP status, error code, and the wrong field */
  async function send(fields: Record<string, string>): Promise<unknown[]> {
    const answer = await scene.service.app.inject({
      method: 'POST',
      url: askPayment.path,
      headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    const { error } = answer.json()
    return [answer.statusCode, error?.code ?? 0, error?.details?.fields?.[0]?.field]
  }

  const GOOD = { returnUrl: RETURN, paymentData: DATA, policyValidation: 'true' }

  it('A8.1-05 reports each missing or wrong field, and orders nothing', async () => {
    await shop.add(['rental'], titles.encre)
    const without = (name: keyof typeof GOOD) => {
      const { [name]: _, ...rest } = GOOD
      return rest
    }
    const wrong: [unknown[], Record<string, string>][] = [
      [[400, -400, 'returnUrl'], without('returnUrl')],
      [[400, -400, 'policyValidation'], without('policyValidation')],
      [[400, -400, 'policyValidation'], { ...GOOD, policyValidation: 'false' }],
      [[400, -400, 'policyValidation'], { ...GOOD, policyValidation: 'perhaps' }],
      [[400, -2108, undefined], without('paymentData')],
      [[400, -2108, undefined], { ...GOOD, paymentData: '' }],
      [[400, -2109, undefined], { ...GOOD, paymentData: 'card' }],
      [[400, -2109, undefined], { ...GOOD, paymentData: '[]' }],
      [[400, -2109, undefined], { ...GOOD, paymentData: '{"brandBillingProviderId":"5"}' }],
      [[400, -2109, undefined], { ...GOOD, paymentData: '{"brandBillingProviderId":6}' }],
      [[400, -400, 'paymentData'], { ...GOOD, paymentData: 'x'.repeat(2001) }],
      [[400, -2109, undefined], { ...GOOD, paymentProvider: 'stripe' }],
      [[400, -2109, undefined], { ...GOOD, paymentBrand: 'gold' }],
      [[400, -2109, undefined], { ...GOOD, paymentMethod: 'saved-1000000' }],
      [[400, -2109, undefined], { ...GOOD, paymentMethod: 'saved-1; drop table' }],
      [[400, -911, undefined], { ...GOOD, voucher: 'FREE' }],
    ]
    for (const [answer, fields] of wrong) expect(await send(fields), JSON.stringify(fields)).toEqual(answer)
    expect(await ordersOf()).toEqual([])
    expect(await send(GOOD)).toEqual([200, 0, undefined])
  })

  it('takes no price or amount from the client', async () => {
    await shop.add(['rental'], titles.encre)
    // `amount` is the price that the customer saw. The service only compares it with the actual price, and never
    // charges it.
    expect((await send({ ...GOOD, amount: '0.01' })).slice(0, 2)).toEqual([409, -409])
    expect(await ordersOf()).toEqual([])
    await send({ ...GOOD, amount: '3.99', price: '-5', cents: '1' })
    expect((await ordersOf()).map(({ cents }) => cents)).toEqual([399])
  })

  it('refuses the saved card of another account', async () => {
    await buy(['cinema-monthly'])
    const [saved] = await methods()
    const other = await scene.make.actor()
    await shop.add(['sport'], undefined, other)
    expect((await shop.ask({ paymentMethod: saved?.paymentMethod }, other)).error.code).toBe(-2109)
    expect(await ordersOf(other.account.id)).toEqual([])
  })

  it.each([
    'https://evil.test/',
    '//evil.test/',
    'http://localhost.evil.test/',
    'http://localhost:4001/',
    'https://localhost/',
    'http://user:pass@localhost/',
    'javascript:alert(1)',
    'data:text/html,x',
    'ondine-evil://x',
    'capacitor://evil.test/',
    'http://',
    '\\\\evil.test\\',
  ])('refuses to return to a foreign address: %s', async (returnUrl) => {
    await shop.add(['rental'], titles.encre)
    expect(await send({ ...GOOD, returnUrl })).toEqual([400, -400, 'returnUrl'])
    expect(await ordersOf()).toEqual([])
  })

  it.each([
    ['http://localhost/offers?step=2', 'http://localhost/offers?step=2&orderId='],
    ['/offers/confirmation', 'http://localhost/offers/confirmation?orderId='],
    ['ondine://offers/confirmation', 'ondine://offers/confirmation?orderId='],
    ['capacitor://localhost/offers', 'capacitor://localhost/offers?orderId='],
  ])('A4.8-09 returns to this site and to the app, with the order: %s', async (returnUrl, back) => {
    await shop.add(['rental'], titles.encre)
    const { result } = await shop.ask({ returnUrl })
    await shop.pay(result.action ?? '')
    const page = await shop.page(result.action ?? '')
    expect(page.body).toContain(`href="${back.replaceAll('&', '&amp;')}${result.orderId}"`)
  })

  it('escapes names and return addresses on the page', async () => {
    await shop.add(['rental'], titles.encre)
    const { result } = await shop.ask({ returnUrl: '/offers?x="><script>alert(1)</script>' })
    await scene.service.context.db
      .update(sandboxPayments)
      .set({ description: '<img src=x onerror=alert(1)>' })
      .where(sql`true`)
    const { body } = await shop.page(result.action ?? '')
    await shop.press(result.action ?? '', { do: 'cancel' })
    const done = await shop.page(result.action ?? '')
    expect(body + done.body).not.toMatch(/<script|<img/)
  })
})
