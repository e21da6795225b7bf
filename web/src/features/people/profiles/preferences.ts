import { changeProfileSettings, type ProfileSettings } from '@ondine/contract/profiles'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { sessionQuery } from '../../ground/session/session.ts'

/**
 * The profile whose preferences are being changed. `kept` contains the preferences as the service has stored them.
 * `wishes` contains the changes that are not stored yet, the oldest first.
 */
let onTheWay: { profile: number; kept: ProfileSettings; wishes: ProfileSettings[] } | undefined
/**
 * The previous call that stores preferences. The next such call waits for it, so that the viewer's last choice is
 * stored last.
 */
let previous: Promise<unknown> = Promise.resolve()

/**
 * Returns the preferences of the active profile; empty for a signed-out viewer. A profile has the same preferences on
 * all devices (A3-10).
 */
export function preferencesOf(queries: QueryClient): ProfileSettings {
  return queries.getQueryData(sessionQuery.queryKey)?.profile?.settings ?? {}
}

/**
 * Changes preferences of the active profile, and leaves its other preferences unchanged. A change applies at once,
 * and is undone if the service cannot store it. Changes are stored one after the other. If another profile becomes
 * active, the waiting changes are dropped.
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
      // The service stores preferences for the profile that is active when the call arrives. If another profile is
      // active by now, the preferences are dropped.
      if (queries.getQueryData(sessionQuery.queryKey)?.profile?.id !== mine.profile) return
      mine.kept = await call(changeProfileSettings, { settings: wanted })
    } finally {
      mine.wishes.splice(mine.wishes.indexOf(wanted), 1)
      show(queries)
      if (mine.wishes.length === 0 && onTheWay === mine) onTheWay = undefined
    }
  })()
  // Each caller gets the error of its own call. The next call waits until this call has ended, even with an error.
  previous = keeping.catch(() => undefined)
  await keeping
}

/**
 * Shows the stored preferences with the changes that are not stored yet. Does nothing if another profile is
 * active.
 */
function show(queries: QueryClient): void {
  const shown = onTheWay
  if (shown === undefined) return
  queries.setQueryData(sessionQuery.queryKey, (known) => {
    if (known?.profile?.id !== shown.profile) return known
    const settings: ProfileSettings = Object.assign({}, shown.kept, ...shown.wishes)
    return { ...known, profile: { ...known.profile, settings } }
  })
}
