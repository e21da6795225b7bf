import { LRUCache } from 'lru-cache'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import type { On } from '../../../http/operations.ts'
import { type Rented, rentedBy } from '../entitlements/grants.service.ts'
import { type AccountPurchases, readPurchases } from './account-offers.service.ts'

/** Maximum number of accounts in the cache. */
const MOST_ACCOUNTS = 5000

/**
 * Purchases with their period of validity, in milliseconds since the Unix epoch. The period ends when the earliest
 * of their rights ends.
 */
interface TimedPurchases {
  purchases: AccountPurchases
  from: number
  until: number
}

/** Cached data of an account. `purchases` and `rented` are read separately, each at its first use. */
interface Kept {
  purchases: Promise<TimedPurchases> | undefined
  rented: Promise<readonly Rented[]> | undefined
}

/**
 * Cache of the purchases of accounts, for screens that list them (docs/decisions/0065). A committed change of
 * purchases evicts the account. Code that decides about money reads the database instead.
 */
export class PurchaseMemory {
  readonly #db: Database
  readonly #changes: Changes
  /** Cached data by account id. */
  readonly #kept = new LRUCache<number, Kept>({ max: MOST_ACCOUNTS })

  constructor(db: Database, changes: Changes) {
    this.#db = db
    this.#changes = changes
    for (const topic of ['account', 'purchases'] as const)
      changes.on(topic, (ids) => {
        if (ids === null) this.#kept.clear()
        else for (const id of ids) this.forget(id)
      })
  }

  /** Returns the purchases of an account. @param now milliseconds since the Unix epoch */
  async of(accountId: number, now: number): Promise<AccountPurchases> {
    const kept = this.#keptOf(accountId)
    const known = await kept.purchases
    if (known && known.from <= now && now < known.until) return known.purchases
    const loading = load(this.#db, accountId, now)
    kept.purchases = loading
    try {
      return (await loading).purchases
    } catch (error) {
      kept.purchases = undefined
      throw error
    }
  }

  /** Returns all rentals and one-time purchases of an account, as {@link rentedBy} does. */
  async rentedBy(accountId: number): Promise<readonly Rented[]> {
    const kept = this.#keptOf(accountId)
    kept.rented ??= rentedBy(this.#db, accountId)
    try {
      return await kept.rented
    } catch (error) {
      kept.rented = undefined
      throw error
    }
  }

  /** Evicts an account. Results of reads that are already in progress are not cached. */
  forget(accountId: number): void {
    this.#kept.delete(accountId)
  }

  #keptOf(accountId: number): Kept {
    const nothing: Kept = { purchases: undefined, rented: undefined }
    // Without change notices from the database, nothing would evict a cached value.
    if (!this.#changes.isListening) return nothing
    const kept = this.#kept.get(accountId)
    if (kept) return kept
    this.#kept.set(accountId, nothing)
    return nothing
  }
}

async function load(db: Database, accountId: number, now: number): Promise<TimedPurchases> {
  const purchases = await readPurchases(db, accountId, now)
  const turns = purchases.bought.map(({ turnsAt }) => turnsAt ?? Number.POSITIVE_INFINITY)
  return {
    purchases,
    from: now,
    until: Math.min(Number.POSITIVE_INFINITY, ...turns.filter((turn) => turn > now)),
  }
}

/**
 * Registers calls that change the purchases of their caller. Each call evicts the caller's account from the cache
 * at once: the caller's next call must see the change, and may arrive before the change notice.
 */
export function onPurchase(on: On, purchases: PurchaseMemory): On {
  return (operation, handler, options) => {
    on(
      operation,
      async (input, call) => {
        try {
          return await handler(input, call)
        } finally {
          if (call.account) purchases.forget(call.account.id)
        }
      },
      options,
    )
  }
}
