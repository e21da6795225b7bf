import { asc, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import type { GuideChannel } from './map-channels.ts'

/** Returns all channels, with the names and ids by which a guide may refer to them. */
export async function findGuideChannels(db: Database): Promise<GuideChannel[]> {
  const rows = await db
    .select({
      id: channels.id,
      number: channels.number,
      names: channels.names,
      guideId: channels.guideId,
      kind: channels.kind,
      listName: sql<string | null>`${channels.source} ->> 'listName'`,
      shiftMinutes: sql<number>`coalesce((${channels.source} ->> 'guideShiftMinutes')::int, 0)`,
    })
    .from(channels)
    .orderBy(asc(channels.number))
  return rows.map(({ id, number, names, guideId, kind, listName, shiftMinutes }) => ({
    id,
    number,
    guideId,
    names: [...Object.values(names), ...(listName === null ? [] : [listName])],
    isLibrary: kind === 'library',
    shiftMs: shiftMinutes * 60_000,
  }))
}
