import { migrateOffer } from '@ondine/contract/offers'
import type { InputOf } from '@ondine/contract/operation'
import { eq } from 'drizzle-orm'
import { afterEach, beforeAll } from 'vitest'
import type { MailOrder } from '../src/features/people/mail/mail.service.ts'
import { checkLedger } from '../src/features/rights/accounting/check-ledger.ts'
import { reconcileOrders } from '../src/features/rights/orders/order-jobs.ts'
import { orders } from '../src/features/rights/orders/orders.table.ts'
import { renewSubscriptions } from '../src/features/rights/orders/renewals.service.ts'
import type { Actor } from './builders.ts'
import { CARDS, Purchases } from './purchases.ts'
import { testScene } from './scene.ts'
import { type DatabaseKind, NOON, type Tokens } from './service.ts'
import { soldTitles } from './sold-titles.ts'

/** Fields of an offer in an offers file. */
type Fields = Record<string, string>
/** Beginning of an offers file, with the packages. */
export const PACKAGES = `
packages:
  - { key: cinema, name: { fra: Cinéma }, titles: [La Houle] }
  - { key: sport, name: { fra: Sport }, titles: [Le Match] }
offers:
`
const PLAN: Fields = {
  type: 'subscription',
  name: '{ fra: Cinéma, eng: Cinema }',
  price: '"8.99"',
  every: 'month',
  packages: '[cinema, sport]',
}

/**
 * Creates a service whose offers get new terms, for the tests of a `describe` block. Also returns functions for
 * its subscribers and their e-mails.
 */
export function migrationScene(kind: DatabaseKind) {
  const scene = testScene(kind, { actor: { tokenDays: 800 }, settings: { SANDBOX_PAYMENTS: true } })
  const shop = new Purchases(scene)
  const titles = soldTitles(scene)
  const operator: Tokens = {}
  let count = 0

  beforeAll(async () => {
    Object.assign(operator, (await scene.make.operator()).tokens)
  })
  afterEach(async () => {
    await shop.endSubscriptions()
    scene.service.clock.set(NOON)
  })

  const db = () => scene.service.context.db
  const at = (time: number) => scene.service.clock.set(time)
  const letters: MailOrder[] = []
  /** Sets the clock to `time`, and runs the background jobs. */
  async function work(time: number): Promise<void> {
    at(time)
    await reconcileOrders(shop.parts)
    await renewSubscriptions({
      ...shop.parts,
      originOf: () => 'http://localhost:4000',
      mail: { order: async (letter) => void letters.push(letter) },
    })
  }
  /** Imports an offers file. */
  const sell = async (all: Record<string, Fields>) =>
    await shop.sell(
      PACKAGES +
        Object.entries(all)
          .map(([key, fields]) => {
            const said = Object.entries({ key, ...PLAN, ...fields }).map(
              ([name, value]) => `${name}: ${value}`,
            )
            return `  - { ${said.join(', ')} }\n`
          })
          .join(''),
    )
  /** Puts a new offer on sale. @returns its key */
  async function newOffer(fields: Fields = {}): Promise<string> {
    const key = `plan-${++count}`
    await sell({ [key]: fields })
    return key
  }
  /** Subscribes and pays. @returns the id of the subscription */
  async function subscribe(key: string, card: string = CARDS.good, actor: Actor = scene.actor) {
    await shop.buy([key], { card, actor })
    return (await only(actor)).id
  }
  const list = async (actor?: Actor) => await shop.subscriptions(actor)
  const only = async (actor?: Actor) => await shop.onlySubscription(actor)
  const ask = async (
    key: string,
    fields: Omit<InputOf<typeof migrateOffer>, 'key'> = {},
    tokens = operator,
  ) => await scene.service.call(migrateOffer, { key, ...fields }, tokens)
  /** Migrates subscriptions to an offer's new terms, and sends the e-mails. */
  const migrate = async (key: string, fields: Omit<InputOf<typeof migrateOffer>, 'key'> = {}) => {
    const { result, error } = await ask(key, fields)
    if (error.code !== 0) throw new Error(JSON.stringify(error))
    await work(scene.service.clock.now())
    return result
  }
  const emailsOf = ({ account }: Actor = scene.actor) =>
    letters.filter((letter) => 'accountId' in letter && letter.accountId === account.id)
  const namesOf = (actor?: Actor) => emailsOf(actor).map(({ letter }) => letter)
  const charged = async ({ account }: Actor = scene.actor) => {
    const all = await db().select().from(orders).where(eq(orders.accountId, account.id)).orderBy(orders.id)
    return all.filter(({ periodId }) => periodId !== null).map(({ cents }) => cents)
  }
  const faults = async () =>
    (await checkLedger({ db: db(), clock: scene.service.clock, providers: shop.parts.providers })).faults
  const NOBODY = { migrated: 0, told: 0, waiting: 0, cancelled: 0, changing: 0, different: 0 }

  return {
    scene,
    shop,
    titles,
    operator,
    db,
    at,
    letters,
    work,
    sell,
    newOffer,
    subscribe,
    list,
    only,
    ask,
    migrate,
    emailsOf,
    namesOf,
    charged,
    faults,
    NOBODY,
  }
}
