import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { inSlices } from '../../../database/in-slices.ts'
import {
  type AccountCall,
  type Caller,
  loadViewers,
  type Rules,
  requireOpen,
  requireSince,
  type TimedViewer,
  underRules,
  VISITOR,
  type Viewer,
} from './entitlements.service.ts'

/** Maximum number of accounts whose viewers are cached. */
const MOST_ACCOUNTS = 20_000

/** Cache of viewers between calls. A committed change of an account evicts the viewers of that account. */
export interface Viewers {
  /**
   * Returns the viewer of a call.
   *
   * @param now milliseconds since the Unix epoch.
   * @throws ServiceError tokenInvalid for a sign-in from before the password was changed, or if the account is closed
   */
  of(caller: Caller, now: number): Promise<Viewer>
}

/**
 * Caches viewers by account and profile. A viewer stays cached until the account changes, or until one of its
 * rights begins or ends. Changed settings of the operator apply at once.
 */
export function rememberViewers(
  { db, changes, log }: { db: Database; changes: Changes; log: FastifyBaseLogger },
  rules: Rules,
): Viewers {
  const known = new LRUCache<number, Map<number, Promise<TimedViewer>>>({ max: MOST_ACCOUNTS })
  changes.on('account', (ids) => {
    if (ids === null) known.clear()
    else for (const id of ids) known.delete(id)
  })

  // One statement reads all viewers that concurrent calls need (docs/decisions/0066).
  const read = inSlices<AccountCall, TimedViewer>({
    log,
    failsTogether: true,
    together: async (calls) => await loadViewers(db, calls),
  })

  async function load(call: AccountCall, profileId: number): Promise<TimedViewer> {
    const accountId = call.account.id
    const loading = read(call)
    const ofAccount = known.get(accountId) ?? new Map<number, Promise<TimedViewer>>()
    known.set(accountId, ofAccount.set(profileId, loading))
    try {
      return await loading
    } catch (error) {
      if (ofAccount.get(profileId) === loading) ofAccount.delete(profileId)
      throw error
    }
  }

  return {
    of: async (caller, now) => {
      const { account, profile } = caller
      if (!account) return underRules(VISITOR, caller.storefront?.id, rules)
      const profileId = profile?.id ?? 0
      const timed = await known.get(account.id)?.get(profileId)
      const isFresh = timed && timed.from <= now && now < timed.until && timed.viewer.accountId !== null
      const found = isFresh ? timed : await load({ account, profile, now }, profileId)
      requireOpen(found)
      requireSince(found, caller)
      return underRules(found.viewer, found.storefrontId, rules)
    },
  }
}
