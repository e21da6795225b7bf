import type { ProgrammePart } from '@ondine/contract/channels'
import type { Language } from '@ondine/contract/languages'
import { and, asc, eq, gte, isNotNull, lt } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { isVisible, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { nameOf } from './channels.presenter.ts'
import { findGuideAssets, type ProgrammeRow } from './programmes.repository.ts'

/**
 * Returns the titles that a library channel plays within a programme, in order of time. Omits titles that are
 * hidden from the viewer.
 */
export async function listParts(
  db: Database,
  viewer: Viewer,
  language: Language,
  { channelId, startsAt, endsAt }: Pick<ProgrammeRow, 'channelId' | 'startsAt' | 'endsAt'>,
): Promise<ProgrammePart[]> {
  const entries = await db
    .select({
      assetId: scheduleEntries.assetId,
      startsAt: scheduleEntries.startsAt,
      endsAt: scheduleEntries.endsAt,
    })
    .from(scheduleEntries)
    .where(
      and(
        eq(scheduleEntries.channelId, channelId),
        eq(scheduleEntries.kind, 'programme'),
        isNotNull(scheduleEntries.assetId),
        gte(scheduleEntries.startsAt, startsAt),
        lt(scheduleEntries.startsAt, endsAt),
      ),
    )
    .orderBy(asc(scheduleEntries.position))
  const assets = await findGuideAssets(
    db,
    entries.flatMap(({ assetId }) => assetId ?? []),
  )
  return entries.flatMap(({ assetId, ...times }) => {
    const asset = assetId === null ? undefined : assets.get(assetId)
    if (!asset || !isVisible(viewer, asset)) return []
    const { title, series } = nameOf(asset, asset, language)
    return {
      title: series ?? title,
      subtitle: series === null ? '' : title,
      season: asset.seasonNumber,
      episode: asset.episodeNumber,
      lastEpisode: asset.lastEpisodeNumber ?? undefined,
      start: times.startsAt / 1000,
      end: times.endsAt / 1000,
      idAsset: asset.id,
    }
  })
}
