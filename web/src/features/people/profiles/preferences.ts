import { changeProfileSettings, type ProfileSettings } from '@ondine/contract/profiles'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { sessionQuery } from '../../ground/session/session.ts'

/**
 * The profile whose preferences are being changed. `kept` are the preferences that the service has stored. `wishes` are
 * the changes that it has not stored yet, the oldest first.
 */
let onTheWay: { profile: number; kept: ProfileSettings; wishes: ProfileSettings[] } | undefined
/** The last call. The next call waits for it, so that the viewer's last choice is stored last. */
let previous: Promise<unknown> = Promise.resolve()

/** Returns the preferences of the active profile, which are the same on all devices (A3-10). Empty for a visitor. */
export function preferencesOf(queries: QueryClient): ProfileSettings {
  return queries.getQueryData(sessionQuery.queryKey)?.profile?.settings ?? {}
}

/**
 * Stores preferences of the active profile, and leaves its other preferences unchanged. They apply at once, and are
 * undone if they cannot be stored. Changes are stored one after the other. Changes that wait are dropped if another
 * profile becomes active.
 *
 * @throws ApiError when the preferences could not be stored
 */
export async function prefer(queries: QueryClient, wanted: ProfileSettings): Promise<void> {
  const profile = queries.getQueryData(sessionQuery.queryKey)?.profile
  if (!profile) return
  if (onTheWay?.profile !== profile.id) onTheWay = { profile: profile.id, kept: profile.settings, wishes: [] }
  const mine = onTheWay
  mine.wishes.push(wanted)
  show(queries)
  const before = previous
  const keeping = (async () => {
    await before
    try {
      // The service stores preferences for the profile that is active when the call arrives. If that is another profile
      // by now, they are dropped.
      if (queries.getQueryData(sessionQuery.queryKey)?.profile?.id !== mine.profile) return
      mine.kept = await call(changeProfileSettings, { settings: wanted })
    } finally {
      mine.wishes.splice(mine.wishes.indexOf(wanted), 1)
      show(queries)
      if (mine.wishes.length === 0 && onTheWay === mine) onTheWay = undefined
    }
  })()
  // Each caller gets the error of its own call. The next call waits for the end of this one, even if it fails.
  previous = keeping.catch(() => undefined)
  await keeping
}

/** Shows the stored preferences together with the changes that are not stored yet, if their profile is still active. */
function show(queries: QueryClient): void {
  const shown = onTheWay
  if (shown === undefined) return
  queries.setQueryData(sessionQuery.queryKey, (known) => {
    if (known?.profile?.id !== shown.profile) return known
    const settings: ProfileSettings = Object.assign({}, shown.kept, ...shown.wishes)
    return { ...known, profile: { ...known.profile, settings } }
  })
}
