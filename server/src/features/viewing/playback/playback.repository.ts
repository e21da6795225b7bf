import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { broadcasts } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories, type Mark, medias } from '../../inventory/titles/titles.table.ts'
import type { Rated } from '../../rights/entitlements/entitlements.service.ts'
import { packageAssets } from '../../rights/entitlements/entitlements.table.ts'

/** An asset with its media, and with the fields that decide whether it may be played. */
export interface PlayableAsset extends Rated {
  id: number
  /** Series of an episode; null for any other asset. */
  serieId: number | null
  seasonId: number | null
  availability: (typeof assets.$inferSelect)['availability']
  durationSeconds: number
  /** Milliseconds since the Unix epoch. */
  validFrom: number
  validTo: number | null
  /** When a live event begins and ends; null for other assets. */
  startsAt: number | null
  endsAt: number | null
  /** The channel that carries a live event; null for other assets. */
  broadcastOn: number | null
  packageIds: number[]
  medias: PlayableMedia[]
}

export interface PlayableMedia {
  id: number
  trackSetId: string
  audioLanguages: string[]
  subtitleLanguages: string[]
}

export async function findPlayableAsset(db: Database, assetId: number): Promise<PlayableAsset | undefined> {
  const rows = await db
    .select({
      id: assets.id,
      serieId: assets.serieId,
      seasonId: assets.seasonId,
      availability: assets.availability,
      durationSeconds: assets.durationSeconds,
      moralityLevel: assets.moralityLevel,
      adult: assets.adult,
      validFrom: assets.validFrom,
      validTo: assets.validTo,
      startsAt: assets.startsAt,
      endsAt: assets.endsAt,
      broadcastOn: broadcasts.channelId,
      packageIds: sql<
        number[]
      >`array(select ${packageAssets.packageId} from ${packageAssets} where ${packageAssets.assetId} = ${assets.id})`,
      media: {
        id: medias.id,
        trackSetId: medias.trackSetId,
        audioLanguages: medias.audioLanguages,
        subtitleLanguages: medias.subtitleLanguages,
      },
    })
    .from(assets)
    .leftJoin(medias, and(eq(medias.assetId, assets.id), eq(medias.kind, 'main')))
    .leftJoin(broadcasts, eq(broadcasts.assetId, assets.id))
    .where(eq(assets.id, assetId))
    .orderBy(asc(medias.id))
  const [first] = rows
  if (!first) return undefined
  const { media: _, ...asset } = first
  return { ...asset, medias: rows.flatMap(({ media }) => media ?? []) }
}

/** Trailer, with the rating of its title. */
export interface Trailer extends Rated {
  trackSetId: string
}

export async function findTrailer(db: Database, mediaId: number): Promise<Trailer | undefined> {
  const [row] = await db
    .select({
      trackSetId: medias.trackSetId,
      moralityLevel: sql<number>`coalesce(${assets.moralityLevel}, ${categories.moralityLevel}, 0)`,
      adult: sql<boolean>`coalesce(${assets.adult}, ${categories.adult}, false)`,
    })
    .from(medias)
    .leftJoin(assets, eq(assets.id, medias.assetId))
    .leftJoin(categories, eq(categories.id, medias.categoryId))
    .where(and(eq(medias.id, mediaId), eq(medias.kind, 'trailer')))
  return row
}

export async function findMarks(
  db: Database,
  assetId: number,
): Promise<(Rated & { durationSeconds: number; marks: Mark[] }) | undefined> {
  const [row] = await db
    .select({
      durationSeconds: assets.durationSeconds,
      moralityLevel: assets.moralityLevel,
      adult: assets.adult,
      marks: assets.marks,
    })
    .from(assets)
    .where(eq(assets.id, assetId))
  return row
}
