import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listOrders, readOrder, refundOrder } from '@ondine/contract/operated-orders'
import { listReceipts, readReceipt } from '@ondine/contract/receipts'
import { asc, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { emailsTo } from '../../../../test/emails.ts'
import { pdfText } from '../../../../test/pdf-text.ts'
import { CARDS, Purchases } from '../../../../test/purchases.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { makeSoldTitles, type SoldTitles } from '../../../../test/sold-titles.ts'
import { readSettings } from '../../../env.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { Mail } from '../../people/mail/mail.service.ts'
import { subscriptions } from '../orders/orders.table.ts'
import { refundOrder as giveBack } from '../orders/refund-order.ts'
import { ProviderSilent } from '../payments/payments.service.ts'
import { sandboxPayments } from '../sandbox/sandbox.table.ts'
import { sendReceipts } from './receipt-jobs.ts'
import { receipts } from './receipts.table.ts'

const { VAT_RATES } = readSettings({ VAT_RATES: 'FR 2014-01-01 20, FI 2013-01-01 24, FI 2026-01-20 25.5' })
const SELLER = ['Rive SAS', '1 quai du Port, 44000 Nantes', 'TVA FR 12 345678901']

describe.each(MAIN_DB)('receipts, on a database of kind %s', (kind) => {
  const scene = testScene(kind, {
    actor: { tokenDays: 800 },
    settings: { SANDBOX_PAYMENTS: true, VAT_RATES, SELLER },
  })
  const shop = new Purchases(scene)
  let titles: SoldTitles
  let operator: Record<string, string>

  beforeAll(async () => {
    titles = await makeSoldTitles(scene)
    await shop.sell()
    operator = (await scene.make.operator()).tokens
  })

  const db = () => scene.service.context.db
  const { at } = scene
  async function buy(keys: string[], contentId?: number, actor: Actor = scene.actor): Promise<number> {
    const { orderId, action } = await shop.order(keys, contentId, actor)
    await shop.pay(action, CARDS.good)
    expect(await shop.status(orderId, actor)).toBe('executed')
    return orderId
  }
  const listOf = async ({ tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    (await scene.service.call(listReceipts, {}, tokens)).result
  /** Requests the PDF file of a receipt. */
  const fetchReceipt = async (idReceipt: number | string, { tokens }: Pick<Actor, 'tokens'> = scene.actor) =>
    await scene.service.app.inject({
      method: 'GET',
      url: readReceipt.path.replace(':idReceipt', String(idReceipt)),
      headers: tokens,
    })
  const refund = async (idOrder: number) => await scene.service.call(refundOrder, { idOrder }, operator)
  const bankStateOf = async (orderId: number) => {
    const { key } = await shop.paymentOf(orderId)
    const [row] = await db().select().from(sandboxPayments).where(eq(sandboxPayments.key, key))
    return row?.state
  }
  const move = async (addressCountry: string) =>
    await db().update(accounts).set({ addressCountry }).where(eq(accounts.id, scene.actor.account.id))

  describe('of payments', () => {
    it('name each offer, its period, the VAT and the seller', async () => {
      await buy(['ultra', 'cinema-monthly'])
      const [receipt, ...others] = await listOf()
      expect(others).toEqual([])
      expect(receipt).toMatchObject({
        kind: 'receipt',
        issuedAt: NOON / 1000,
        amount: '10.99',
        vat: '1.83',
        vatRate: '20.00',
        lines: [
          { title: 'Ultra HD', amount: '2.00', discount: '0.00', from: NOON / 1000 },
          { title: 'Cinéma', amount: '8.99', to: Date.UTC(2026, 1, 15, 12) / 1000 },
        ],
      })
      const file = await fetchReceipt(receipt?.idReceipt ?? 0)
      expect([file.statusCode, file.headers['content-type'], file.headers['cache-control']]).toEqual([
        200,
        'application/pdf',
        'private, no-store',
      ])
      expect(file.headers['content-disposition']).toBe(`attachment; filename="${receipt?.number}.pdf"`)
      expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
      const text = pdfText(file.rawPayload)
      for (const words of [
        'Reçu',
        `Numéro : ${receipt?.number}`,
        'Date : 15 janvier 2026',
        ...SELLER,
        scene.actor.account.email,
        'Cinéma',
        '8,99 €',
        'TVA 20 %',
        '1,83 €',
        '9,16 €',
        '10,99 €',
        'Payé en totalité.',
      ])
        expect(text).toContain(words)
    })

    it('name the title of a rental and its discount, without an end', async () => {
      await buy(['rental'], titles.encre)
      const [receipt] = await listOf()
      expect(receipt?.lines).toEqual([
        {
          title: 'Location · Encre',
          amount: '3.99',
          discount: '0.00',
          credit: '0.00',
          usualAmount: null,
          from: NOON / 1000,
          to: null,
        },
      ])
    })

    it('name plans and rented titles in the language of the viewer in lists, and in the language of the payment in print', async () => {
      await buy(['ultra', 'cinema-monthly'])
      await buy(['rental'], titles.sel)
      await buy(['season'])
      const titlesIn = async (languageId: string) => {
        const wish = { languageId, parentalProof: undefined }
        const { result } = await scene.service.call(listReceipts, wish, scene.actor.tokens)
        return result.flatMap(({ lines }) => lines.map(({ title }) => title))
      }
      expect(await titlesIn('fra')).toEqual(['Saison', 'Location · Sel', 'Ultra HD', 'Cinéma'])
      // The season has no English name, so its name stays in the language of the payment.
      expect(await titlesIn('eng')).toEqual(['Saison', 'Rental · Salt', 'Ultra HD', 'Cinema'])
      expect(await titlesIn('deu')).toEqual(await titlesIn('fra'))
      const [, rental, plan] = await listOf()
      expect(pdfText((await fetchReceipt(rental?.idReceipt ?? 0)).rawPayload)).toContain('Location · Sel')
      expect(pdfText((await fetchReceipt(plan?.idReceipt ?? 0)).rawPayload)).toContain('Cinéma')
    })

    it('are not written for orders that cost nothing', async () => {
      await shop.add(['once'])
      const { result } = await shop.ask({ paymentData: undefined })
      expect(await shop.status(result.orderId)).toBe('executed')
      expect(await listOf()).toEqual([])
    })

    it('have the VAT rate of the country on the day of the order, even when it is executed later', async () => {
      await move('FI')
      await buy(['rental'], titles.encre)
      const order = await shop.order(['rental'], titles.sel)
      await shop.pay(order.action)
      await at(Date.UTC(2026, 0, 20), async () => {
        expect(await shop.status(order.orderId)).toBe('executed')
        await buy(['season'])
      })
      expect((await listOf()).map(({ vatRate, vat }) => [vatRate, vat])).toEqual([
        ['25.50', '1.42'],
        ['24.00', '0.77'],
        ['24.00', '0.77'],
      ])
      await move('US')
      await at(Date.UTC(2026, 1, 1), async () => await buy(['channel-day']))
      expect((await listOf())[0]?.vatRate).toBe('20.00')
    })

    it('are numbered in each year without a gap, even when executions are interrupted', async () => {
      const buyers: Actor[] = []
      for (let count = 0; count < 12; count++) buyers.push(await scene.make.actor({ tokenDays: 800 }))
      const later = Date.UTC(2027, 5, 1)
      await at(later, async () => {
        const placed = []
        for (const buyer of buyers) {
          const order = await shop.order(['rental'], titles.encre, buyer)
          await shop.pay(order.action)
          placed.push({ buyer, ...order })
        }
        await db().execute(sql`create function refuse_some() returns trigger language plpgsql as $$
          begin if new.account_id % 3 = 0 then raise exception 'no rights now'; end if; return new; end $$`)
        await db().execute(
          sql`create trigger refuse_some before insert on receipts for each row execute function refuse_some()`,
        )
        try {
          await Promise.allSettled(
            placed.map(async ({ buyer, orderId }) => await shop.status(orderId, buyer)),
          )
        } finally {
          await db().execute(sql`drop function refuse_some cascade`)
        }
        for (const { buyer, orderId } of placed) expect(await shop.status(orderId, buyer)).toBe('executed')
      })
      const rows = await db()
        .select()
        .from(receipts)
        .where(eq(receipts.year, 2027))
        .orderBy(asc(receipts.number))
      expect(rows.map(({ number }) => number)).toEqual(buyers.map((_, index) => index + 1))
      const all = await db()
        .select()
        .from(receipts)
        .where(eq(receipts.kind, 'receipt'))
        .orderBy(asc(receipts.number))
      const of2026 = all.filter(({ year }) => year === 2026).map(({ number }) => number)
      expect(of2026).toEqual(of2026.map((_, index) => index + 1))
    })

    it('are visible to their own account only', async () => {
      await buy(['rental'], titles.encre)
      const [receipt] = await listOf()
      const other = await scene.make.actor()
      const answer = await fetchReceipt(receipt?.idReceipt ?? 0, other)
      expect([answer.statusCode, answer.json().error.code]).toEqual([404, -404])
      expect(await listOf(other)).toEqual([])
      expect((await fetchReceipt(receipt?.idReceipt ?? 0)).statusCode).toBe(200)
    })

    it.each(['0', '-1', '1.5', '99999999999', 'x', '2147483647'])(
      'are not found by the id "%s"',
      async (idReceipt) => {
        const answer = await fetchReceipt(idReceipt)
        expect([400, 404]).toContain(answer.statusCode)
      },
    )
  })

  describe('of refunds', () => {
    const GIVEN_BACK = {
      payment: { provider: 399, customers: -399 },
      sale: { customers: 399, sales: -332, vat: -67 },
      refund: { sales: 332, vat: 67, provider: -399 },
    }

    it('are credit notes: the money is refunded, the right ends, and the ledger records it', async () => {
      const orderId = await buy(['rental'], titles.encre)
      expect(await shop.plays(titles.encre)).toBe(0)
      const { result } = await refund(orderId)
      expect(result).toMatchObject({ state: 'executed', payment: { state: 'refunded' } })
      expect(await shop.plays(titles.encre)).toBe(-11)
      expect(await shop.movements(orderId)).toEqual(GIVEN_BACK)
      expect(await bankStateOf(orderId)).toBe('refunded')
      const [note, receipt] = await listOf()
      expect(note).toMatchObject({ kind: 'creditNote', amount: '3.99', vat: '0.67' })
      expect(result.receipts).toEqual([receipt?.number, note?.number])
      const text = pdfText((await fetchReceipt(note?.idReceipt ?? 0)).rawPayload)
      for (const words of [
        'Avoir',
        note?.number,
        `Annule le reçu ${receipt?.number}`,
        'Remboursé en totalité.',
      ])
        expect(text).toContain(words)
    })

    it('end a subscription, which can then be bought again', async () => {
      const orderId = await buy(['cinema-monthly'])
      await refund(orderId)
      expect(await shop.plays(titles.houle)).toBe(-11)
      const [ended] = await db()
        .select()
        .from(subscriptions)
        .where(eq(subscriptions.accountId, scene.actor.account.id))
      expect([ended?.statusId, ended?.endedAt]).toEqual([40, NOON])
      await buy(['cinema-monthly'])
      expect(await shop.plays(titles.houle)).toBe(0)
    })

    it('are written once, even for repeated and concurrent requests', async () => {
      const orderId = await buy(['rental'], titles.encre)
      const answers = await Promise.all(Array.from({ length: 10 }, async () => await refund(orderId)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect((await refund(orderId)).result.receipts).toHaveLength(2)
      expect(await shop.movements(orderId)).toEqual(GIVEN_BACK)
      expect(await listOf()).toHaveLength(2)
    })

    it('wait for a silent provider, but the right ends at once', async () => {
      const orderId = await buy(['rental'], titles.encre)
      const { bank } = shop
      bank.refund = async () => {
        throw new ProviderSilent('The bank does not answer.')
      }
      await giveBack({ ...shop.parts, providers: new Map([['sandbox', bank]]) }, orderId)
      expect(await shop.plays(titles.encre)).toBe(-11)
      const waiting = (await scene.service.call(readOrder, { idOrder: orderId }, operator)).result
      expect([waiting.payment?.state, waiting.receipts.length]).toEqual(['refundDue', 1])
      expect((await refund(orderId)).result.payment?.state).toBe('refunded')
      expect(await shop.movements(orderId)).toEqual(GIVEN_BACK)
    })

    it('are refused for unknown, unpaid and free orders, and nothing changes', async () => {
      expect((await refund(999_999)).error.code).toBe(-404)
      const open = await shop.order(['rental'], titles.encre)
      expect((await refund(open.orderId)).error.code).toBe(-409)
      await shop.add(['once'])
      const free = (await shop.ask({ paymentData: undefined })).result
      expect((await refund(free.orderId)).error.code).toBe(-500)
      expect(await shop.status(open.orderId)).toBe('submitted')
      expect(await listOf()).toEqual([])
    })
  })

  it('operators list orders by state and by e-mail address, and read one', async () => {
    const { email } = scene.actor.account
    const bought = await buy(['cinema-monthly'])
    const open = await shop.order(['rental'], titles.encre)
    const list = async (fields: { state?: 'executed' | 'submitted'; email?: string }) =>
      (await scene.service.call(listOrders, fields, operator)).result.map(({ idOrder }) => idOrder)
    expect(await list({ email: ` ${email.toUpperCase()}` })).toEqual([open.orderId, bought])
    expect(await list({ email, state: 'executed' })).toEqual([bought])
    expect(await list({ email: 'nobody@ondine.test' })).toEqual([])
    expect((await list({}))[0]).toBe(open.orderId)
    const { result } = await scene.service.call(readOrder, { idOrder: bought }, operator)
    expect(result).toMatchObject({
      email,
      amount: '8.99',
      discount: '0.00',
      items: [{ key: 'cinema-monthly', revision: 1, title: 'Cinéma', idAsset: null, amount: '8.99' }],
      voucher: null,
    })
  })

  it('the command lists, shows and refunds orders', async () => {
    const run = async (name: string, args: string[], options = {}) =>
      await runCommand(scene.service, `orders ${name}`, args, options)
    const orderId = await buy(['rental'], titles.encre)
    const { email } = scene.actor.account
    const line = `${orderId}  2026-01-15T12:00:00.000Z  ${email}  3.99 EUR  executed, payment succeeded`
    expect(await run('list', [email])).toBe(line)
    expect(await run('list', [email], { state: 'failed' })).toBe('There are no such orders.')
    expect(await run('show', [String(orderId)])).toContain(
      `${line}\n  rental, revision 1: Location, title ${titles.encre}, 3.99 EUR`,
    )
    expect(await run('refund', [String(orderId)])).toMatch(/^Order \d+ was refunded: C2026-\d{6}\.$/)
    expect(await run('list', [email])).toContain('executed, payment refunded')
    await expect(run('list', [], { state: 'paid' })).rejects.toThrow('There is no state paid')
    for (const wrong of ['0', 'x', '-1', '999999', '99999999999'])
      await expect(run('refund', [wrong])).rejects.toThrow(`There is no order ${wrong}`)
    const open = await shop.order(['season'])
    await expect(run('refund', [String(open.orderId)])).rejects.toThrow(
      'only executed orders can be refunded',
    )
  })

  it('are sent to their account by e-mail, once, in its language', async () => {
    scene.service.start()
    const { context } = scene.service
    const { email, id } = scene.actor.account
    await db().update(accounts).set({ language: 'eng' }).where(eq(accounts.id, id))
    const orderId = await buy(['rental'], titles.encre)
    const send = async () =>
      await sendReceipts({ db: context.db, clock: context.clock, mail: new Mail(context.jobs) })
    await send()
    expect(await send()).toBe(0)
    const [first] = await emailsTo(context.settings.DATA_DIR, email, 1)
    expect(first?.subject).toMatch(/receipt$/)
    await refund(orderId)
    await send()
    const letters = await emailsTo(context.settings.DATA_DIR, email, 2)
    expect(letters.map(({ subject }) => /receipt|refund/.exec(subject)?.[0])).toEqual(['receipt', 'refund'])
    const outbox = join(context.settings.DATA_DIR, 'outbox')
    const names = (await readdir(outbox)).filter((name) => /^[^.].*\.eml$/.test(name))
    const mails = await Promise.all(names.map(async (name) => await readFile(join(outbox, name), 'utf8')))
    const own = mails.filter((mail) => mail.includes(`To: ${email}`))
    const attached = own.map((mail) => /filename="?([RC])2026-\d{6}\.pdf/.exec(mail)?.[1])
    expect(new Set(attached)).toEqual(new Set(['R', 'C']))
  }, 120_000)
})
