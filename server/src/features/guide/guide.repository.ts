import { asc, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../database/connection.ts'
import { Pace } from '../../database/pace.ts'
import { channels } from '../channels/channels.table.ts'
import { programmes } from './guide.table.ts'
import { lockGuide } from './guide-lock.ts'
import type { GuideChannel } from './map-channels.ts'

/** All channels that a guide may be about, with what they may be known by. */
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

/** Most programmes that are deleted in one transaction. */
const MOST_GONE = 500

/** Forgets what ended before `before`, in slices. @returns how many went. */
export async function prunePast(db: Database, before: number, signal?: AbortSignal): Promise<number> {
  return await removeInSlices(
    db,
    () => sql`${programmes.endsAt} < ${iso(before)} order by ${programmes.endsAt}`,
    signal,
  )
}

/** Forgets all that a source has announced, in slices. */
export async function removeProgrammesOf(db: Database, sourceId: number): Promise<void> {
  // In the order of their ids, which have an index: each slice begins where the one before ended.
  await removeInSlices(
    db,
    (last) =>
      sql`${programmes.sourceId} = ${sourceId} and ${programmes.id} > ${last} order by ${programmes.id}`,
  )
}

/**
 * @param whichAfter condition and order of what goes, given the highest id that has gone.
 * @returns how many went, until `signal` aborts.
 */
async function removeInSlices(
  db: Database,
  whichAfter: (last: number) => SQL,
  signal?: AbortSignal,
): Promise<number> {
  const pace = new Pace(MOST_GONE)
  let all = 0
  let last = 0
  for (;;) {
    if (signal?.aborted === true) return all
    const isLast = await pace.slice(async (most) => {
      const gone = await db.transaction(async (tx) => {
        await lockGuide(tx)
        const some = sql`(select ${programmes.id} from ${programmes} where ${whichAfter(last)} limit ${most})`
        return await tx
          .delete(programmes)
          .where(sql`${programmes.id} in ${some}`)
          .returning({ id: programmes.id })
      })
      for (const { id } of gone) last = Math.max(last, id)
      all += gone.length
      return gone.length < most
    })
    if (isLast) return all
  }
}

function iso(at: number): string {
  return new Date(at).toISOString()
}
