import { changeProfileSettings, type ProfileSettings } from '@ondine/contract/profiles'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { sessionQuery } from '../../ground/session/session.ts'

/**
 * A profile, the settings that the service has stored for it (`kept`), and the changes still being stored, the
 * oldest first.
 */
let onTheWay: { profile: number; kept: ProfileSettings; wishes: ProfileSettings[] } | undefined
/** The calls are sequential, so that the last choice is stored last. */
let previous: Promise<unknown> = Promise.resolve()

/** Returns the preferences of the active profile, on any device (A3-10); empty for a visitor. */
export function preferencesOf(queries: QueryClient): ProfileSettings {
  return queries.getQueryData(sessionQuery.queryKey)?.profile?.settings ?? {}
}

/**
 * Stores preferences of the active profile, in addition to earlier ones. They apply at once, and are reverted
 * when they cannot be stored. Changes are stored one after the other. Pending changes are dropped when
 * another profile becomes active.
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
      // The service stores preferences for the profile that is active when the call arrives. So they are
      // dropped if another profile is active by now.
      if (queries.getQueryData(sessionQuery.queryKey)?.profile?.id !== mine.profile) return
      mine.kept = await call(changeProfileSettings, { settings: wanted })
    } finally {
      mine.wishes.splice(mine.wishes.indexOf(wanted), 1)
      show(queries)
      if (mine.wishes.length === 0 && onTheWay === mine) onTheWay = undefined
    }
  })()
  // The caller gets the error of its own call. The next caller only waits until the call has ended.
  previous = keeping.catch(() => undefined)
  await keeping
}

/** Shows the stored preferences with the pending ones, if their profile is active. */
function show(queries: QueryClient): void {
  const shown = onTheWay
  if (shown === undefined) return
  queries.setQueryData(sessionQuery.queryKey, (known) => {
    if (known?.profile?.id !== shown.profile) return known
    const settings: ProfileSettings = Object.assign({}, shown.kept, ...shown.wishes)
    return { ...known, profile: { ...known.profile, settings } }
  })
}
