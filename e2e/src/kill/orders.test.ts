import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { oauthToken } from '@ondine/contract/accounts'
import { encodeInput } from '@ondine/contract/encode-input'
import { availableOffers } from '@ondine/contract/offers'
import type { Envelope, InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { addOptions, askPayment, checkOrderStatus, optionsValidity } from '@ondine/contract/orders'
import { activateProfile, listProfiles } from '@ondine/contract/profiles'
import { openDatabase } from '@ondine/server/database/connection'
import { rowsOf } from '@ondine/server/database/rows'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, type TemporaryPostgres } from '../../../script/postgres.ts'
import { Installation, ONDINE } from '../installation.ts'

/**
 * Number of kills. The default is small, because the test runs on every change. `ONDINE_KILLS` sets a larger number for
 * long runs.
 */
const KILLS = Number(process.env.ONDINE_KILLS ?? 2)
/**
 * Number of plans. Each buyer can buy a plan only once. Every third plan begins with a trial, for which the bank
 * saves a card.
 */
const PLANS = 60 + KILLS * 40
const NAMES = ['anna', 'bilal', 'chloe', 'denis', 'elif', 'farid', 'gaelle', 'hugo']
const BUYERS = NAMES.map((name) => `${name}@ondine.test`)
const PASSWORD = 'Ondine-2026!'
const CARD = '4242424242424242'
/**
 * Time limit for the execution of paid orders, in milliseconds. The job that settles open orders runs every
 * minute.
 */
const SETTLED_WITHIN_MS = 240_000

const OFFERS = `packages:
${Array.from({ length: PLANS }, (_, at) => `  - { key: pack-${at}, name: { fra: Bouquet } }`).join('\n')}
offers:
${Array.from({ length: PLANS }, (_, at) => `  - { key: plan-${at}, type: subscription, name: { fra: Offre }, price: "8.99", every: month, trialDays: ${at % 3 === 0 ? 14 : 0}, packages: [pack-${at}] }`).join('\n')}
`

type Tokens = Record<string, string>

/** Makes a call. @returns undefined once the service is gone */
async function call<O extends Operation>(
  origin: string,
  operation: O,
  input: InputOf<O>,
  tokens: Tokens = {},
): Promise<{ result: OutputOf<O>; code: number } | undefined> {
  const fields = new URLSearchParams(encodeInput(input))
  const isRead = operation.method === 'GET'
  try {
    const response = await fetch(`${origin}${operation.path}${isRead ? `?${fields}` : ''}`, {
      method: operation.method,
      headers: tokens,
      ...(isRead ? {} : { body: fields }),
    })
    const body = (await response.json()) as Envelope<OutputOf<O>>
    if (operation.answer === 'bare') return { result: body as OutputOf<O>, code: 0 }
    // A refused call has no result.
    return body.status
      ? { result: body.result, code: 0 }
      : { result: undefined as OutputOf<O>, code: body.error.code }
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** A customer who buys plan after plan. After each kill, the customer continues with the interrupted plan. */
class Customer {
  readonly #email: string
  #plan = 0
  /** Orders that the service reported as executed. */
  readonly executed = new Set<number>()
  /** Offers whose payment the bank has answered. */
  readonly paid = new Set<number>()

  constructor(email: string) {
    this.#email = email
  }

  /** Buys until the service is gone. */
  async buy(origin: string, options: readonly number[]): Promise<void> {
    const tokens = await this.#signIn(origin)
    if (!tokens) return
    while (this.#plan < options.length && (await this.#buyOne(origin, tokens, options))) this.#plan += 1
  }

  /** Finishes the purchase of the interrupted plan, and buys no other plan. */
  async finish(origin: string, options: readonly number[]): Promise<void> {
    const tokens = await this.#signIn(origin)
    expect(tokens && (await this.#buyOne(origin, tokens, options))).toBe(true)
  }

  /** Returns the number of paid offers that the account does not have yet. Reads no order, because a read would settle the order. */
  async missing(origin: string): Promise<number> {
    const validity = await call(origin, optionsValidity, {}, await this.#signIn(origin))
    const held = new Set(
      validity?.result.flatMap(({ optionId, statusId }) => (statusId === 10 ? [optionId] : [])),
    )
    return [...this.paid].filter((optionId) => !held.has(optionId)).length
  }

  async #signIn(origin: string): Promise<Tokens | undefined> {
    const signedIn = await call(origin, oauthToken, {
      username: this.#email,
      password: PASSWORD,
      grant_type: 'password',
    })
    if (!signedIn) return undefined
    const account = { 'x-auth-token': signedIn.result.access_token }
    const profiles = await call(origin, listProfiles, {}, account)
    const idProfile = profiles?.result[0]?.id
    if (idProfile === undefined) return undefined
    const active = await call(origin, activateProfile, { idProfile }, account)
    return active && { ...account, 'x-profile-token': active.result.profileToken }
  }

  /** Buys the current plan. @returns false if the service was killed during the purchase */
  async #buyOne(origin: string, tokens: Tokens, options: readonly number[]): Promise<boolean> {
    const optionId = options[this.#plan] ?? 0
    const added = await call(origin, addOptions, { optionIds: [optionId] }, tokens)
    if (!added) return false
    // The account has the plan already (-1102), because the order was executed before the service was killed.
    if (added.code === -1102) return true
    const asked = await call(
      origin,
      askPayment,
      { returnUrl: '/offers', paymentData: '{}', policyValidation: true },
      tokens,
    )
    if (!asked) return false
    expect([0, -500, -1102]).toContain(asked.code)
    if (asked.code !== 0) return true
    const { action, orderId } = asked.result
    if (action !== null) {
      const notices = orderId % 2 === 0 ? 'never' : 'twice'
      const page = await fetch(`${origin}${new URL(action).pathname}`, {
        method: 'POST',
        body: new URLSearchParams({ do: 'pay', card: CARD, notices }),
        redirect: 'manual',
      }).catch(() => undefined)
      if (page === undefined) return false
      this.paid.add(optionId)
    }
    const status = await call(origin, checkOrderStatus, { orderId }, tokens)
    if (status?.result.orderStatus === 'executed') this.executed.add(orderId)
    return status !== undefined
  }
}

describe.each(['embedded', 'postgresql'] as const)(
  'a service of kind %s that is killed while people buy',
  (kind) => {
    let postgres: TemporaryPostgres | undefined
    let installation: Installation
    /** Environment of the commands that work on the installation. */
    let environment: NodeJS.ProcessEnv

    beforeAll(async () => {
      postgres = kind === 'postgresql' ? startPostgres() : undefined
      const database = postgres ? { DATABASE_URL: postgres.url } : {}
      installation = await Installation.create({
        DEMO: 'false',
        SANDBOX_PAYMENTS: 'true',
        SIGN_IN_ATTEMPTS: '100000',
        ...database,
      })
      const file = join(installation.dataDir, 'offers.yaml')
      await writeFile(file, OFFERS)
      environment = { ...process.env, DATA_DIR: installation.dataDir, LOG_LEVEL: 'silent', ...database }
      for (const email of BUYERS)
        await promisify(execFile)(ONDINE, ['accounts', 'create', email], {
          // The password is not an argument, because other users of the machine can see the arguments.
          env: { ...environment, ONDINE_PASSWORD: PASSWORD },
        })
      await promisify(execFile)(ONDINE, ['offers', 'import', file], { env: environment })
    })
    afterAll(async () => {
      await installation.remove()
      postgres?.stop()
    })

    /** Queries the database directly, after the service has ended. */
    async function look<Row>(statement: string): Promise<Row[]> {
      const connection = await openDatabase({
        DATA_DIR: installation.dataDir,
        DATABASE_URL: postgres?.url,
        DATABASE_POOL_SIZE: 2,
      })
      try {
        return await rowsOf<Row>(connection.db, sql.raw(statement))
      } finally {
        await connection.close()
      }
    }

    async function optionsAt(origin: string): Promise<number[]> {
      const offers = await call(origin, availableOffers, { contentType: 'VOD_ASSET' })
      return (offers?.result ?? []).map(({ idOption }) => idOption)
    }

    it(`sells each paid order once, and no other, over ${KILLS} kills`, {
      timeout: 900_000 + KILLS * 60_000,
    }, async () => {
      const customers = BUYERS.map((email) => new Customer(email))
      for (let kill = 0; kill < KILLS; kill++) {
        await installation.start()
        const { origin } = installation
        const options = await optionsAt(origin)
        expect(options).toHaveLength(PLANS)
        const buying = Promise.all(customers.map(async (customer) => await customer.buy(origin, options)))
        await delay(700 + ((kill * 397) % 1500))
        await installation.kill('SIGKILL')
        await buying
      }

      await installation.start()
      const { origin } = installation
      // Checks subscriptions only. A request for an order would settle it, but the service must settle paid orders
      // without a request.
      const missing = async () => {
        const all = await Promise.all(customers.map(async (customer) => await customer.missing(origin)))
        return all.reduce((sum, count) => sum + count, 0)
      }
      await expect.poll(missing, { timeout: SETTLED_WITHIN_MS, interval: 2000 }).toBe(0)
      // If an order was submitted just before the kill, the customer's request for its status settles it.
      const options = await optionsAt(origin)
      for (const customer of customers) await customer.finish(origin, options)
      const { stdout } = await promisify(execFile)(ONDINE, ['ledger', 'check'], { env: environment })
      expect(stdout).toMatch(/All match: \d+ orders, \d+ payments\./)
      await installation.kill('SIGTERM')

      const [sums] = await look<Record<string, number>>(`
      select
        (select count(*)::int from sandbox_payments where state = 'succeeded') as paid,
        (select coalesce(sum(cents), 0)::int from sandbox_payments where state = 'succeeded') as received,
        (select count(*)::int from sandbox_payments where state = 'succeeded' and cents = 0) as saved,
        (select count(*)::int from orders where state = 'executed') as executed,
        (select count(*)::int from sandbox_payments bank
          left join payments on payments.key = bank.key left join orders on orders.payment_id = payments.id
          where bank.state = 'succeeded' and orders.state is distinct from 'executed') as paid_without_order,
        (select count(*)::int from orders join payments on payments.id = orders.payment_id
          left join sandbox_payments bank on bank.key = payments.key
          where orders.state = 'executed' and bank.state is distinct from 'succeeded') as order_without_payment,
        (select count(*)::int from orders join order_items on order_items.order_id = orders.id
          where orders.state = 'executed' and 1 <> (select count(*) from grants
            where source = 'subscription' and source_id = order_items.id::text)) as order_without_right,
        (select count(*)::int from grants where source = 'subscription' and not exists (
          select from order_items join orders on orders.id = order_items.order_id
          where order_items.id::text = grants.source_id and orders.state = 'executed')) as right_without_order,
        (select count(*)::int from (select 1 from orders join order_items on order_items.order_id = orders.id
          where orders.state = 'executed' group by orders.account_id, offer_revision_id having count(*) > 1) doubled) as twice,
        (select coalesce(sum(cents), 0)::int from ledger_entries where account = 'customers') as customers,
        (select coalesce(sum(cents), 0)::int from ledger_entries where account = 'provider') as provider`)
      const { paid = 0, received = 0, saved = 0 } = sums ?? {}
      expect(received).toBe((paid - saved) * 899)
      expect(sums).toEqual({
        paid,
        received,
        saved,
        executed: paid,
        paid_without_order: 0,
        order_without_payment: 0,
        order_without_right: 0,
        right_without_order: 0,
        twice: 0,
        customers: 0,
        provider: received,
      })
      expect(paid).toBeGreaterThan(KILLS)
      expect(saved).toBeGreaterThan(0)
      const answered = new Set(customers.flatMap(({ executed }) => [...executed]))
      const kept = new Set(
        (await look<{ id: number }>(`select id from orders where state = 'executed'`)).map(({ id }) => id),
      )
      expect([...answered].filter((id) => !kept.has(id))).toEqual([])
    })
  },
)
