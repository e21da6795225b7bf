import { createHmac } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CARDS, Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../../test/sold-titles.ts'
import { orders } from '../orders/orders.table.ts'
import { sandboxMerchants } from './sandbox.table.ts'

const NOTICES = '/payments/sandbox/notices'
const MINUTE_MS = 60_000

describe.each(MAIN_DB)('the sandbox bank, on a database of kind %s', (kind) => {
  const scene = testScene(kind, { settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  let titles: SoldTitles

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
  })

  const db = () => scene.service.context.db
  const { at } = scene
  const stateOf = async (orderId: number) => {
    const [order] = await db().select().from(orders).where(eq(orders.id, orderId))
    return order?.state
  }
  const post = async (payload: string, headers: Record<string, string>) =>
    await scene.service.app.inject({ method: 'POST', url: NOTICES, headers, payload })
  /** Notices that the bank sent, the oldest first. */
  const sent: { body: string; headers: Record<string, string> }[] = []
  /** Sends the notices that are due, as the job does. @returns the states in these notices */
  async function deliver(isReceived = true): Promise<string[]> {
    const before = sent.length
    await shop.bank.sendNotices(async (body, headers) => {
      sent.push({ body, headers })
      return isReceived && (await post(body, headers)).statusCode === 200
    })
    return sent.slice(before).map(({ body }) => JSON.parse(body).state)
  }
  async function paid(notices: string, card: string = CARDS.good): Promise<number> {
    const { orderId, action } = await shop.order(['rental'], titles.encre)
    await shop.pay(action, card, notices)
    return orderId
  }
  /** Returns a notice of an order’s payment, signed with a secret. */
  async function forge(
    orderId: number,
    secret: string,
    time = NOON,
  ): Promise<[string, Record<string, string>]> {
    const body = JSON.stringify({ id: 1, payment: (await shop.paymentOf(orderId)).key, state: 'succeeded' })
    const seconds = Math.floor(time / 1000)
    const digest = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
    return [body, { 'content-type': 'application/json', 'sandbox-signature': `t=${seconds},v1=${digest}` }]
  }
  const secret = async () => (await db().select().from(sandboxMerchants))[0]?.noticeSecret ?? ''

  describe('notices', () => {
    it('execute the order before anybody asks for its status', async () => {
      const orderId = await paid('prompt')
      expect(await stateOf(orderId)).toBe('submitted')
      expect(await deliver()).toEqual(['succeeded'])
      expect(await stateOf(orderId)).toBe('executed')
      expect(await deliver()).toEqual([])
    })

    it('sell once when they come twice', async () => {
      const orderId = await paid('twice')
      expect(await deliver()).toEqual(['succeeded', 'succeeded'])
      expect(Object.keys(await shop.movements(orderId)).toSorted()).toEqual(['payment', 'sale'])
    })

    it('undo nothing when they come out of order', async () => {
      const orderId = await paid('reordered')
      expect(await deliver()).toEqual(['succeeded', 'open'])
      expect(await stateOf(orderId)).toBe('executed')
      expect(await shop.plays(titles.encre)).toBe(0)
    })

    it('sell nothing again when they come after the screen has asked for the status', async () => {
      const orderId = await paid('late')
      expect(await deliver()).toEqual([])
      expect(await shop.status(orderId)).toBe('executed')
      expect(await at(NOON + MINUTE_MS, deliver)).toEqual(['succeeded'])
      expect(Object.keys(await shop.movements(orderId)).toSorted()).toEqual(['payment', 'sale'])
    })

    it('are not needed: without them the status call executes the order', async () => {
      const orderId = await paid('never')
      expect(await at(NOON + 24 * 60 * MINUTE_MS, deliver)).toEqual([])
      expect(await shop.status(orderId)).toBe('executed')
    })

    it('report the answer of a bank that answers late', async () => {
      const orderId = await paid('prompt', CARDS.late)
      expect(await deliver()).toEqual(['processing'])
      expect(await stateOf(orderId)).toBe('submitted')
      expect(await at(NOON + 30_000, deliver)).toEqual(['succeeded'])
      expect(await stateOf(orderId)).toBe('executed')
    })

    it('come again when the service could not execute the order', async () => {
      const orderId = await paid('prompt')
      await db().execute(sql`alter table grants add constraint no_rights check (id < 0) not valid`)
      try {
        expect(await deliver()).toEqual(['succeeded'])
      } finally {
        await db().execute(sql`alter table grants drop constraint no_rights`)
      }
      expect(await stateOf(orderId)).toBe('to_execute')
      expect(await at(NOON + MINUTE_MS, deliver)).toEqual(['succeeded'])
      expect(await stateOf(orderId)).toBe('executed')
    })

    it('come eight times when they are not received', async () => {
      await paid('prompt')
      let tries = 0
      for (let hour = 0; hour < 24; hour++)
        tries += (await at(NOON + hour * 60 * MINUTE_MS, async () => await deliver(false))).length
      expect(tries).toBe(8)
    })
  })

  describe('a notice that is not trusted', () => {
    it('is refused with a wrong, missing or cut signature, or a changed body', async () => {
      const orderId = await paid('never')
      const [body, headers] = await forge(orderId, 'guessed')
      const { 'sandbox-signature': _, ...unsigned } = headers
      const right = await forge(orderId, await secret())
      const cut = right[1]['sandbox-signature']?.slice(0, -1) ?? ''
      const answers = [
        await post(body, headers),
        await post(body, unsigned),
        await post(body, { ...headers, 'sandbox-signature': 't=,v1=' }),
        await post(right[0], { ...right[1], 'sandbox-signature': cut }),
        await post(right[0].replace('succeeded', 'succeedeD'), right[1]),
        await post('', right[1]),
      ]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403, 403])
      expect(await stateOf(orderId)).toBe('submitted')
    })

    it('is refused more than five minutes after or before its time', async () => {
      const orderId = await paid('never')
      const [body, headers] = await forge(orderId, await secret())
      const later = async (time: number) => (await at(time, async () => await post(body, headers))).statusCode
      expect(await later(NOON + 5 * MINUTE_MS + 1000)).toBe(403)
      expect(await later(NOON - 5 * MINUTE_MS - 1000)).toBe(403)
      expect(await stateOf(orderId)).toBe('submitted')
      expect(await later(NOON + 5 * MINUTE_MS)).toBe(200)
      expect(await stateOf(orderId)).toBe('executed')
    })

    it('does not execute an order that the bank does not confirm', async () => {
      const { orderId } = await shop.order(['rental'], titles.encre)
      const [body, headers] = await forge(orderId, await secret())
      expect((await post(body, headers)).statusCode).toBe(200)
      expect(await stateOf(orderId)).toBe('submitted')
    })

    it('is received without effect when the payment is of another installation', async () => {
      const orderId = await paid('never')
      const key = await secret()
      const body = '{"id":1,"payment":"elsewhere","state":"succeeded"}'
      const [, headers] = await forge(orderId, key)
      const seconds = NOON / 1000
      const digest = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')
      expect(
        (await post(body, { ...headers, 'sandbox-signature': `t=${seconds},v1=${digest}` })).statusCode,
      ).toBe(200)
    })
  })

  describe('pages', () => {
    it('say in each state that no money moves, and run no script', async () => {
      const open = await shop.order(['rental'], titles.encre)
      const pages = [await shop.page(open.action)]
      await shop.pay(open.action, CARDS.declined)
      pages.push(await shop.page(open.action))
      await shop.pay(open.action, CARDS.confirmed)
      pages.push(await shop.page(open.action))
      await shop.pay(open.action, CARDS.late)
      pages.push(await shop.page(open.action))
      pages.push(await at(NOON + 30_000, async () => await shop.page(open.action)))
      const other = await shop.order(['rental'], titles.sel)
      pages.push(await at(NOON + 15 * MINUTE_MS, async () => await shop.page(other.action)))
      await shop.press(other.action, { do: 'cancel' })
      pages.push(await shop.page(other.action))
      const headings = pages.map(({ body }) => /<h1>(.*)<\/h1>/.exec(body)?.[1])
      expect(headings).toEqual([
        'Location · Encre',
        'Location · Encre',
        'Confirmez ce paiement',
        'La banque n’a pas encore répondu',
        'Paiement accepté',
        'Cette page de paiement a expiré',
        'Paiement annulé',
      ])
      for (const { body, headers, statusCode } of pages) {
        expect(statusCode).toBe(200)
        expect(body).toContain('aucun argent ne circule')
        expect(body).not.toMatch(/<script| on\w+=| style=/)
        expect(headers['content-security-policy']).toMatch(
          /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
        )
        expect(headers['cache-control']).toBe('no-store')
      }
      expect(pages[0]?.body).toContain('3,99')
    })

    it('are in English for an order in English', async () => {
      await shop.add(['rental'], titles.encre)
      const { app } = scene.service
      const fields = { returnUrl: '/offers', paymentData: '{}', policyValidation: 'true', languageId: 'eng' }
      const answer = await app.inject({
        method: 'POST',
        url: '/proxy/askPayment',
        headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
        payload: new URLSearchParams(fields).toString(),
      })
      const { body } = await shop.page(answer.json().result.action)
      expect(body).toContain('no money moves')
      expect(body).toContain('Rental · Encre')
      expect(body).toContain('€3.99')
    })

    it('ignore unknown buttons and unknown cards', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      for (const fields of [
        {},
        { do: 'refund' },
        { do: 'pay' },
        { do: 'pay', card: '4242' },
        { do: 'pay', card: 'x'.repeat(5000) },
        { do: 'confirm', card: CARDS.good },
      ] as Record<string, string>[])
        expect((await shop.press(action, fields)).statusCode).toBe(303)
      expect(await shop.status(orderId)).toBe('submitted')
    })

    it('refuse forms of other sites and guessed addresses', async () => {
      const { orderId, action } = await shop.order(['rental'], titles.encre)
      const url = new URL(action).pathname
      const foreign = await scene.service.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.test' },
        payload: `do=pay&card=${CARDS.good}`,
      })
      expect(foreign.statusCode).toBe(403)
      expect(await shop.status(orderId)).toBe('submitted')
      const guessed = await scene.service.app.inject(url.slice(0, -1))
      expect([guessed.statusCode, guessed.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
    })
  })
})

describe('without SANDBOX_PAYMENTS and without the demonstration', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService()
  })
  afterAll(async () => await service.remove())

  it('there is no bank', async () => {
    await service.app.ready()
    expect(service.app.routeList.filter((route) => /sandbox/.test(route))).toEqual([])
    const page = await service.app.inject('/sandbox-payments/x')
    const notice = await service.app.inject({ method: 'POST', url: NOTICES, payload: {} })
    expect([page.statusCode, notice.statusCode]).toEqual([404, 404])
  })
})
