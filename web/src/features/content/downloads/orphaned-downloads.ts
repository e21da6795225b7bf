import type { Session } from '@ondine/contract/accounts'
import { listProfiles } from '@ondine/contract/profiles'
import { call } from '../../../api/call.ts'
import { serviceNow } from '../../ground/clock/browser-clock.ts'
import { type AccountProfiles, type Download, isOrphaned } from './download.ts'
import { removeDownload } from './downloads.ts'
import { failureOf } from './failure.ts'
import { listDownloads } from './store.ts'
import { markStored } from './stored-mark.ts'

/**
 * Removes all downloads of this device that nobody will watch again, for all accounts. A download of another
 * account stays until its licence expires. Runs even if the operator has disabled downloads. Also stores in the
 * browser whether any downloads remain ({@link markStored}).
 *
 * @param account the signed-in account; null for a signed-out viewer
 */
export async function removeOrphans(account: Session['account']): Promise<void> {
  const downloads = await listDownloads()
  const signedIn = await profilesOf(account, downloads)
  const now = serviceNow() / 1000
  for (const download of downloads) {
    // Until the licence expires, its removal releases it, which only its own account can do.
    const isRemovable = download.accountId === account?.id || download.times.expiresAt <= now
    if (isRemovable && isOrphaned(download, signedIn, now)) await removeDownload(download.key)
  }
  markStored((await listDownloads()).length > 0)
}

/** Returns the profiles of an account. Undefined if the account has no downloads here, or without a connection. */
async function profilesOf(
  account: Session['account'],
  downloads: readonly Download[],
): Promise<AccountProfiles | undefined> {
  if (account === null || downloads.every(({ accountId }) => accountId !== account.id)) return undefined
  try {
    const profiles = await call(listProfiles, {})
    return { accountId: account.id, profileIds: new Set(profiles.map(({ id }) => id)) }
  } catch (error) {
    if (failureOf(error) !== 'later') throw error
    return undefined
  }
}
