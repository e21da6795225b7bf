import { changeProfileSettings, type ProfileSettings } from '@ondine/contract/profiles'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { sessionQuery } from '../accounts/session.ts'

/** What is on its way to be kept, the first that was chosen first; and what the service has of the profile besides. */
let onTheWay: { profile: number; kept: ProfileSettings; wishes: ProfileSettings[] } | undefined
/** One call follows the other: the last choice is the one that stays. */
let previous: Promise<unknown> = Promise.resolve()

/** What the profile that watches prefers, on whichever device (A3-10); nothing for a visitor. */
export function preferencesOf(queries: QueryClient): ProfileSettings {
  return queries.getQueryData(sessionQuery.queryKey)?.profile?.settings ?? {}
}

/**
 * Keeps what the profile that watches prefers, beside what it preferred before. It counts at once, and no longer when it
 * could not be kept; several are kept in the order they were chosen in. What still waits when somebody else watches is dropped.
 *
 * @throws ApiError when it could not be kept
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
      // The service keeps it for whoever watches when the call arrives: that is somebody else by now.
      if (queries.getQueryData(sessionQuery.queryKey)?.profile?.id !== mine.profile) return
      mine.kept = await call(changeProfileSettings, { settings: wanted })
    } finally {
      mine.wishes.splice(mine.wishes.indexOf(wanted), 1)
      show(queries)
      if (mine.wishes.length === 0 && onTheWay === mine) onTheWay = undefined
    }
  })()
  // Whoever chose hears of a failure; who chose next only waits for the end.
  previous = keeping.catch(() => undefined)
  await keeping
}

/** Shows what is kept with all that is on the way above it, to the profile that it is of. */
function show(queries: QueryClient): void {
  const shown = onTheWay
  if (shown === undefined) return
  queries.setQueryData(sessionQuery.queryKey, (known) => {
    if (known?.profile?.id !== shown.profile) return known
    const settings: ProfileSettings = Object.assign({}, shown.kept, ...shown.wishes)
    return { ...known, profile: { ...known.profile, settings } }
  })
}
