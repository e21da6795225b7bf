import { type Database, openDatabase } from '@ondine/server/database/connection'
import { channels } from '@ondine/server/features/inventory/line-up/line-up.table'
import { scheduleRules } from '@ondine/server/features/inventory/line-up/schedule-rules.service'
import { assets, medias, trackSets } from '@ondine/server/features/inventory/titles/titles.table'
import { createTrackSetStore } from '@ondine/server/features/inventory/track-sets/track-sets.service'
import { extendSchedules } from '@ondine/server/features/television/schedule/extend-schedules'
import type { Installation } from './installation.ts'
import { syntheticFilm } from './synthetic-film.ts'

/**
 * Numbers of segments of long films: 24, 50, 37 minutes and so on. A channel plays about forty such films a day.
 */
const FILM_SEGMENTS = [360, 750, 555, 1350, 405, 690, 825, 480, 600, 1575, 375, 900]

/** Adds films of usual lengths to the catalogue. They have no media files, because nobody plays them. */
export async function addLongFilms(db: Database): Promise<void> {
  for (const [index, segmentCount] of FILM_SEGMENTS.entries()) {
    const document = syntheticFilm(1000 + index, segmentCount)
    const durationSeconds = segmentCount * 4
    await db.insert(trackSets).values({ id: document.id, key: null, document, durationSeconds })
    const [asset] = await db
      .insert(assets)
      .values({
        kind: 'film',
        sourceKey: titleOf(index),
        titles: { fra: titleOf(index), eng: titleOf(index) },
        durationSeconds,
        availability: 'ready',
        validFrom: 0,
      })
      .returning({ id: assets.id })
    if (!asset) throw new Error('The asset was not stored.')
    await db
      .insert(medias)
      .values({ kind: 'main', assetId: asset.id, trackSetId: document.id, fingerprint: '' })
  }
}

/**
 * Adds channels to an installation on PostgreSQL while its service is not running. Schedules them as far ahead as
 * the service does.
 */
export async function addScheduledChannels({ environment }: Installation, count: number): Promise<void> {
  const { db, close } = await openDatabase({
    DATABASE_URL: environment.DATABASE_URL ?? '',
    DATABASE_POOL_SIZE: 2,
    DATA_DIR: '',
  })
  await addLongFilms(db)
  await addChannels(db, 1000, count)
  await extendSchedules(db, createTrackSetStore(db), Date.now())
  await close()
}

/** Adds channels with numbers from `first` on. Each channel plays the films in a different order. */
export async function addChannels(db: Database, first: number, count: number): Promise<void> {
  const rules = scheduleRules.parse({
    kind: 'shuffle',
    titles: FILM_SEGMENTS.map((_, index) => titleOf(index)),
  })
  const rows = Array.from({ length: count }, (_, index) => ({
    number: first + index,
    sourceKey: `long ${first + index}`,
    names: { fra: `Chaîne ${first + index}`, eng: `Channel ${first + index}` },
    rules,
  }))
  // Inserts in slices, because a statement has a limited number of parameters.
  for (let from = 0; from < rows.length; from += 1000) {
    await db.insert(channels).values(rows.slice(from, from + 1000))
  }
}

function titleOf(index: number): string {
  return `Long film ${index + 1}`
}
