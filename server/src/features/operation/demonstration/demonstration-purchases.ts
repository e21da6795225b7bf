import { DEFAULT_LANGUAGE } from '@ondine/contract/languages'
import { SettableClock } from '../../../clock.ts'
import type { Context } from '../../../context.ts'
import { periodsAfter } from '../../../time/periods.ts'
import { type Account, findAccountByEmail, sinceNow } from '../../people/accounts/accounts.service.ts'
import { listProfiles } from '../../people/profiles/profiles.service.ts'
import { viewerOf } from '../../rights/entitlements/entitlements.service.ts'
import { beginRental, rentedBy } from '../../rights/entitlements/grants.service.ts'
import { type Buyer, fillCart } from '../../rights/orders/cart.service.ts'
import { holdingsOf } from '../../rights/orders/holdings.service.ts'
import { askPayment, type OrderParts, openCheckout } from '../../rights/orders/orders.service.ts'
import { renewSubscriptions, type SubscriptionJobParts } from '../../rights/orders/renewals.service.ts'
import { settleOrder } from '../../rights/orders/settlement.service.ts'
import { SANDBOX_PATH, SandboxBank } from '../../rights/sandbox/sandbox-bank.service.ts'
import { findContent } from '../../viewing/shop/named-content.service.ts'
import { RENTER, SUBSCRIBER } from './demonstration-accounts.ts'

/** Dependencies of the demonstration's purchases: the same as for real purchases and renewals. */
export type PurchaseParts = OrderParts & SubscriptionJobParts

const DAY_MS = 86_400_000

/** Test card that the sandbox bank accepts. */
const CARD = '4242424242424242'

/** The subscriber's plan and option, bought two months ago, with a receipt for each month. */
const PLAN = { keys: ['cinema-series-monthly', 'channels-option'], agoMs: 66 * DAY_MS }

/** The renter's rentals: the first has ended, the second can still be watched. */
const PAST = { key: 'rental-encre', title: 'Encre', boughtAgoMs: 9 * DAY_MS, begunAgoMs: 8 * DAY_MS }
const RUNNING = { key: 'rental-ville-basse', title: 'Ville basse', boughtAgoMs: 0, begunAgoMs: 0 }

type Rental = typeof PAST

/**
 * Makes purchases for the demonstration accounts in the way of customers: with a cart, an order and the page of
 * the sandbox bank. Existing purchases are not repeated. At each start, an ended rental is bought again, so that
 * one rental can always be watched.
 */
export class DemonstrationPurchases {
  readonly #context: Pick<Context, 'db' | 'clock' | 'configurations' | 'log'>
  readonly #parts: PurchaseParts
  /** Rentals that this process has checked, by account and offer. */
  readonly #rented = new Set<string>()
  #running: Promise<void> = Promise.resolve()

  constructor(context: Pick<Context, 'db' | 'clock' | 'configurations' | 'log'>, parts: PurchaseParts) {
    this.#context = context
    this.#parts = parts
  }

  /** Makes the missing purchases of titles that are ready for playback. Calls run one after another. */
  async buy(storefronts: readonly { id: number }[]): Promise<void> {
    this.#running = this.#buyAfter(this.#running, storefronts)
    await this.#running
  }

  async #buyAfter(before: Promise<void>, storefronts: readonly { id: number }[]): Promise<void> {
    await before
    for (const { id } of storefronts) {
      await this.#try(id, SUBSCRIBER, async (account) => await this.#subscribe(account))
      await this.#try(id, RENTER, async (account) => {
        // The older rental is bought first, so that receipts have ascending numbers by date.
        if (await this.#rent(account, PAST)) await this.#rent(account, RUNNING)
      })
    }
  }

  /** Runs one purchase. A failure does not stop the other purchases. */
  async #try(
    storefrontId: number,
    email: string,
    purchase: (account: Account) => Promise<void>,
  ): Promise<void> {
    const { db, log } = this.#context
    try {
      const account = await findAccountByEmail(db, storefrontId, email)
      if (account?.status === 'ACTIVE') await purchase(account)
    } catch (error) {
      log.error({ err: error, email }, 'a purchase of the demonstration failed')
    }
  }

  /** Buys the plan with the clock set back, and pays for the months since then. */
  async #subscribe(account: Account): Promise<void> {
    const { db, clock } = this.#context
    const now = clock.now()
    const from = now - PLAN.agoMs
    const { bought } = await holdingsOf(db, account.id, now)
    if (bought.size > 0 || (await this.#buyer(account, now)).viewer.packageIds.size > 0) return
    await this.#order(account, PLAN.keys, undefined, from)
    const month = { unit: 'month', period: 1 } as const
    for (let count = 1; periodsAfter(from, month, count) <= now; count += 1)
      await renewSubscriptions(this.#at(periodsAfter(from, month, count)).parts)
  }

  /**
   * Rents a film, unless the account has already rented it. Returns false if the film is not ready for playback.
   */
  async #rent(account: Account, rental: Rental): Promise<boolean> {
    const { db, clock } = this.#context
    const seen = `${account.id} ${rental.key}`
    if (this.#rented.has(seen)) return true
    const assetId = await this.#readyTitle(account, rental.title)
    if (assetId === undefined) return false
    const now = clock.now()
    const { owned } = (await this.#buyer(account, now)).viewer
    const isThere =
      rental === RUNNING
        ? owned.assets.has(assetId)
        : (await rentedBy(db, account.id)).some((each) => 'assetId' in each && each.assetId === assetId)
    if (!isThere) {
      await this.#order(account, [rental.key], assetId, now - rental.boughtAgoMs)
      const begunAt = now - rental.begunAgoMs
      const tenure = (await this.#buyer(account, begunAt)).viewer.owned.assets.get(assetId)
      if (tenure) await beginRental(db, tenure.grantId, begunAt)
    }
    this.#rented.add(seen)
    return true
  }

  /** Returns the id of a film that is ready for playback, else undefined. */
  async #readyTitle(account: Account, title: string): Promise<number | undefined> {
    const { db, clock } = this.#context
    const names = await db.transaction(async (tx) => await findContent(tx, { titles: [title], channels: [] }))
    const [found] = names.titles.get(title) ?? []
    if (found === undefined || !('assetId' in found)) return undefined
    const reader = await this.#buyer(account, clock.now())
    const subject = await this.#parts.findSubject({ type: 'VOD_ASSET', id: found.assetId }, reader)
    return subject?.isAvailable === true ? found.assetId : undefined
  }

  /** Orders and pays for the offers with these keys, with the clock set to `time`. */
  async #order(
    account: Account,
    keys: readonly string[],
    assetId: number | undefined,
    time: number,
  ): Promise<void> {
    const { parts, bank } = this.#at(time)
    const buyer = await this.#buyer(account, time)
    const optionIds = keys.map((key) => {
      const offer = parts.book.ofKey(key)
      if (!offer) throw new Error(`The demonstration does not sell ${key}.`)
      return offer.id
    })
    const content = assetId === undefined ? {} : ({ contentId: assetId, contentType: 'VOD_ASSET' } as const)
    await fillCart(parts, buyer, optionIds, content)
    const origin = parts.originOf(account.storefrontId)
    const { order, action } = await askPayment(parts, buyer, {
      method: { paymentData: JSON.stringify({ brandBillingProviderId: bank.brandBillingProviderId }) },
      voucher: undefined,
      seen: {},
      returnTo: new URL('/offers/confirmation', origin),
      origin,
    })
    const token = new URL(action ?? origin).pathname.slice(SANDBOX_PATH.length + 1)
    await bank.show(token, { number: CARD, notices: 'never' })
    const { state } = await settleOrder(parts, order.id)
    if (state !== 'executed') throw new Error(`The order of ${keys.join(' and ')} is ${state}.`)
  }

  async #buyer(account: Account, now: number): Promise<Buyer> {
    const { db, clock, configurations } = this.#context
    const [profile = null] = await listProfiles(db, account.id)
    return {
      account: { id: account.id, since: sinceNow(account, clock.now()) },
      viewer: await viewerOf({ db, configurations }, { account: { id: account.id }, profile }, now),
      language: DEFAULT_LANGUAGE,
      now,
      sells: configurations.of(account.storefrontId).offers,
      hasGivenCode: async () => true,
    }
  }

  /**
   * Returns the dependencies of a purchase, and the sandbox bank, with their clock set to `time`. Titles are read
   * at the present time, because the library did not contain them in the past.
   */
  #at(time: number): { parts: PurchaseParts; bank: SandboxBank } {
    const { db, clock, log } = this.#context
    const then = new SettableClock(time)
    const bank = new SandboxBank({ db, clock: then, log }, async () => {})
    const { findSubject } = this.#parts
    return {
      bank,
      parts: {
        // A separate checkout. Otherwise purchases in the past could be executed in the same transaction as
        // present ones.
        ...openCheckout({ ...this.#parts, providers: new Map([[bank.name, bank]]) }),
        clock: then,
        findSubject: async (subject, reader) => await findSubject(subject, { ...reader, now: clock.now() }),
      },
    }
  }
}
