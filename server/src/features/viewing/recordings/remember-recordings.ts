import type { Recording } from '@ondine/contract/recordings'
import type { Context } from '../../../context.ts'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { rememberByProfile } from '../../../database/profile-memory.ts'
import type { ProfileRecordings } from '../../content/catalogue/profile-recordings.ts'
import { listShown } from './list-shown.ts'
import { isInProgress, isPlayable } from './recording-state.ts'
import { findUsedRecordings } from './recordings.repository.ts'

/** Maximum number of recordings that are read for a profile: the ones that it used last. */
const MOST_USED = 2000
/** Maximum number of recordings in progress, and of favourites, that are listed. */
const MOST_LISTED = 60

/** Ids of recordings of a profile. Their state is not checked, because it changes with the time. */
interface Used {
  /** The most recently watched first. */
  begun: readonly number[]
  /** The most recently added first. */
  favourites: readonly number[]
}

const NOTHING_USED: Used = { begun: [], favourites: [] }

/**
 * Lists the recordings in progress and the favourites of profiles. Their ids are cached until a recording of the
 * profile changes, so that a profile without such recordings costs no query.
 */
export function rememberRecordings(
  parts: Pick<Context, 'db' | 'settings'>,
  changes: Changes,
): ProfileRecordings {
  const usedBy = rememberByProfile(
    changes,
    'recordings',
    NOTHING_USED,
    async (profileId) => await load(parts.db, profileId),
  )
  return async (reader) => {
    const { profileId } = reader.viewer
    const { begun, favourites } = await usedBy(profileId)
    if (profileId === null || begun.length + favourites.length === 0) return { begun: [], favourites: [] }
    const ids = [...new Set([...begun.slice(0, MOST_LISTED), ...favourites.slice(0, MOST_LISTED)])]
    const shown = new Map(
      (await listShown(parts, { profileId, ids }, reader)).map((recording) => [recording.id, recording]),
    )
    const those = (wanted: readonly number[], isWanted: (recording: Recording) => boolean) =>
      wanted.flatMap((id) => shown.get(id) ?? []).filter(isWanted)
    return {
      begun: those(begun, ({ isBegun }) => isBegun),
      favourites: those(favourites, ({ isFavorite, state }) => isFavorite && isPlayable(state)),
    }
  }
}

async function load(db: Database, profileId: number): Promise<Used> {
  const rows = await findUsedRecordings(db, profileId, MOST_USED)
  const idsBy = (at: (row: (typeof rows)[number]) => number | null) =>
    rows
      .flatMap((row) => {
        const time = at(row)
        return time === null ? [] : [{ id: row.id, time }]
      })
      .toSorted((one, other) => other.time - one.time || other.id - one.id)
      .map(({ id }) => id)
  return {
    begun: idsBy((row) => (isInProgress(row) ? row.watchedAt : null)),
    favourites: idsBy(({ favouriteAt }) => favouriteAt),
  }
}
