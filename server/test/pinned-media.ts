import type { Database } from '../src/database/connection.ts'
import type { Interval } from '../src/features/inventory/recorded-programmes/pinned-intervals.service.ts'
import { recordedProgrammes } from '../src/features/inventory/recorded-programmes/recorded-programmes.table.ts'

/**
 * Stores a recorded programme that pins an interval of its channel's media, in milliseconds since the Unix epoch.
 *
 * @returns the id of the recorded programme
 */
export async function pinMedia(db: Database, channelId: number, { from, to }: Interval): Promise<number> {
  const [row] = await db
    .insert(recordedProgrammes)
    .values({
      channelId,
      universalId: `pinned-${from}`,
      startsAt: from,
      endsAt: to,
      pinnedFrom: from,
      pinnedTo: to,
      otherStarts: { byId: [], byContent: [] },
      titles: {},
      subtitles: {},
      descriptions: {},
      genres: [],
      moralityLevel: 0,
      adult: false,
    })
    .returning({ id: recordedProgrammes.id })
  if (!row) throw new Error('The recorded programme was not stored.')
  return row.id
}
