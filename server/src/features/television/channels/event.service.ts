import type { epgEvent } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import type { OutputOf } from '@ondine/contract/operation'
import type { Database } from '../../../database/connection.ts'
import { notFoundBy } from '../../../http/errors.ts'
import type { Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { presentAnnounced } from './channels.presenter.ts'
import { listProgrammes } from './guide-windows.service.ts'
import { listParts } from './parts.service.ts'
import { findAssetDetails, findProgramme } from './programmes.repository.ts'
import { listShowings } from './showings.service.ts'

/** How far before and after a programme its neighbours are searched, in milliseconds. */
const NEAR_MS = 24 * 3600_000
const MOST_SHOWINGS = 20

/** Returns a programme by its id; undefined if it does not exist or is hidden from the viewer. */
export async function programmeOf(
  db: Database,
  viewer: Viewer,
  language: Language,
  id: number,
): Promise<Programme | undefined> {
  const found = await findProgramme(db, id, undefined)
  if (!found) return undefined
  const { startsAt: from, endsAt: to, channelId } = found
  const guide = await listProgrammes(db, viewer, language, { from, to, channelIds: [channelId] })
  return guide.get(channelId)?.find((programme) => programme.id === id)
}

/**
 * Returns a programme with its neighbours and its other showings (V7-11).
 *
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError `notFound`, also for a programme that is hidden from the viewer
 */
export async function findEvent(
  db: Database,
  viewer: Viewer,
  language: Language,
  now: number,
  { id, channelId }: { id: number; channelId: number | undefined },
): Promise<OutputOf<typeof epgEvent>> {
  const found = await findProgramme(db, id, channelId)
  if (!found) throw notFoundBy('idEvent')
  const { assetId, programmeKey } = found
  const [guide, showings, details, parts] = await Promise.all([
    listProgrammes(db, viewer, language, {
      from: found.startsAt - NEAR_MS,
      to: found.endsAt + NEAR_MS,
      channelIds: [found.channelId],
    }),
    listShowings(
      db,
      {
        assetIds: assetId === null ? [] : [assetId],
        serieIds: [],
        programmeKeys: assetId === null ? [programmeKey] : [],
      },
      viewer,
      language,
      now,
      MOST_SHOWINGS,
    ),
    assetId === null ? undefined : findAssetDetails(db, assetId),
    assetId === null ? listParts(db, viewer, language, found) : [],
  ])
  const programmes = guide.get(found.channelId) ?? []
  const place = programmes.findIndex((programme) => programme.id === id)
  const current = programmes[place]
  if (!current) throw notFoundBy('idEvent')
  const all = [...showings.assets.values(), ...showings.programmes.values()].flat()
  return {
    previous: programmes[place - 1] ?? null,
    current,
    announced: presentAnnounced(found, details, language),
    parts,
    next: programmes[place + 1] ?? null,
    showings: all.filter((programme) => programme.id !== id),
  }
}
