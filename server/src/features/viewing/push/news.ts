import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { LocalisedText } from '../../../database/columns.ts'
import type { Database } from '../../../database/connection.ts'
import { oneOf } from '../../../database/one-of.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import { recordings } from '../recordings/recordings.table.ts'

/** Subject of a queued notification. Contains only ids: titles are read when the notification is sent. */
export type About =
  | { kind: 'recording'; recordingId: number }
  | { kind: 'episodes'; categoryId: number; assetIds: readonly number[] }

/** A title that a notification names, with its rating. */
export interface NewsTitle extends Rated {
  titles: LocalisedText
}

/** A new episode. */
interface NewEpisode extends NewsTitle {
  id: number
  seasonNumber: number | null
  episodeNumber: number | null
  lastEpisodeNumber: number | null
}

/** News for a profile, not yet filtered by the level of the profile. */
export type News =
  | { kind: 'recording'; id: number; title: NewsTitle }
  | { kind: 'episodes'; title: NewsTitle & { id: number }; episodes: readonly NewEpisode[] }

/** Reads the news of a profile; undefined if the recording is not ready any more, or if the series was deleted. */
export async function readNews(
  db: Database,
  profileId: number,
  about: About,
  now: number,
): Promise<News | undefined> {
  return about.kind === 'recording'
    ? await readRecording(db, profileId, about.recordingId)
    : await readEpisodes(db, about, now)
}

/**
 * Returns a recording that is ready. Name and rating come from the catalogue, or from the recorded programme if
 * the catalogue has no such title.
 */
async function readRecording(
  db: Database,
  profileId: number,
  recordingId: number,
): Promise<News | undefined> {
  const [row] = await db
    .select({
      titles: sql<LocalisedText>`coalesce(${categories.names}, ${assets.titles}, ${recordedProgrammes.titles})`,
      moralityLevel: sql<number>`coalesce(${assets.moralityLevel}, ${recordedProgrammes.moralityLevel})`,
      adult: sql<boolean>`coalesce(${assets.adult}, ${recordedProgrammes.adult})`,
    })
    .from(recordings)
    .innerJoin(recordedProgrammes, eq(recordedProgrammes.id, recordings.recordedProgrammeId))
    .leftJoin(assets, eq(assets.id, recordedProgrammes.assetId))
    .leftJoin(categories, eq(categories.id, assets.serieId))
    .where(
      and(
        eq(recordings.id, recordingId),
        eq(recordings.profileId, profileId),
        isNull(recordings.removedAt),
        isNull(recordings.lostSince),
        eq(recordedProgrammes.failed, false),
        isNull(recordedProgrammes.withheldAt),
        isNotNull(recordedProgrammes.settledAt),
      ),
    )
  return row && { kind: 'recording', id: recordingId, title: row }
}

async function readEpisodes(
  db: Database,
  { categoryId, assetIds }: Extract<About, { kind: 'episodes' }>,
  now: number,
): Promise<News | undefined> {
  const [series] = await db
    .select({
      id: categories.id,
      titles: categories.names,
      moralityLevel: categories.moralityLevel,
      adult: categories.adult,
    })
    .from(categories)
    .where(eq(categories.id, categoryId))
  if (!series) return undefined
  const episodes = await db
    .select({
      id: assets.id,
      titles: assets.titles,
      seasonNumber: assets.seasonNumber,
      episodeNumber: assets.episodeNumber,
      lastEpisodeNumber: assets.lastEpisodeNumber,
      moralityLevel: assets.moralityLevel,
      adult: assets.adult,
    })
    .from(assets)
    .where(and(oneOf(assets.id, assetIds), eq(assets.serieId, categoryId), isWatchable(now)))
    .orderBy(assets.seasonNumber, assets.episodeNumber, assets.id)
  return { kind: 'episodes', title: series, episodes }
}

/** SQL condition: the title can be watched now. */
function isWatchable(now: number) {
  const at = sql`${new Date(now).toISOString()}::timestamptz`
  return sql<boolean>`(${assets.availability} = 'ready' and ${assets.validFrom} <= ${at}
    and (${assets.validTo} is null or ${assets.validTo} > ${at}))`
}
