import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, isNotNull, isNull, lt, notExists, sql } from 'drizzle-orm'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/connection.ts'
import { removeTrackSet } from '../../ingest/ingest.ts'
import { medias, trackSets } from '../catalogue/catalogue.table.ts'
import { scheduleEntries } from '../channels/channels.table.ts'

/** Who is watching a TrackSet when it is replaced can go on for so long, in milliseconds. */
const GRACE_MS = 24 * 3600_000
/** A folder that is so young may be about to get its row, in milliseconds. */
const YOUNG_MS = 3600_000

/**
 * Removes TrackSets that no media and no schedule has referred to for a day, and folders that no row knows of, which a
 * kill between publishing and writing down leaves behind.
 *
 * @returns how many.
 */
export async function sweepMedia({
  db,
  clock,
  folders,
}: Pick<Context, 'db' | 'clock' | 'folders'>): Promise<number> {
  const now = clock.now()
  const unused = isUnused(db)
  await db
    .update(trackSets)
    .set({ unusedSince: null })
    .where(and(isNotNull(trackSets.unusedSince), sql`not (${unused})`))
  await db
    .update(trackSets)
    .set({ unusedSince: now })
    .where(and(isNull(trackSets.unusedSince), unused))
  const gone = await db
    .delete(trackSets)
    .where(and(lt(trackSets.unusedSince, now - GRACE_MS), unused))
    .returning({ id: trackSets.id })
  for (const { id } of gone) await removeTrackSet(folders.media, id)
  return gone.length + (await sweepFolders(db, folders.media))
}

function isUnused(db: Database) {
  return and(
    notExists(db.select({ id: medias.id }).from(medias).where(eq(medias.trackSetId, trackSets.id))),
    notExists(
      db
        .select({ position: scheduleEntries.position })
        .from(scheduleEntries)
        .where(eq(scheduleEntries.trackSetId, trackSets.id)),
    ),
  )
}

async function sweepFolders(db: Database, mediaRoot: string): Promise<number> {
  const before = Date.now() - YOUNG_MS
  const old: string[] = []
  for (const name of await readdir(mediaRoot)) {
    if (/^[0-9a-f]{32}$/.test(name) && (await stat(join(mediaRoot, name))).ctimeMs < before) old.push(name)
  }
  if (old.length === 0) return 0
  const known = new Set<string>()
  for (let first = 0; first < old.length; first += 1000) {
    const some = old.slice(first, first + 1000)
    const rows = await db.select({ id: trackSets.id }).from(trackSets).where(inArray(trackSets.id, some))
    for (const { id } of rows) known.add(id)
  }
  const orphans = old.filter((name) => !known.has(name))
  for (const id of orphans) await removeTrackSet(mediaRoot, id)
  return orphans.length
}
