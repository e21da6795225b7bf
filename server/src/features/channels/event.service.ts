import type { epgEvent } from '@ondine/contract/channels'
import type { Language } from '@ondine/contract/languages'
import type { OutputOf } from '@ondine/contract/operation'
import type { Database } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import type { Viewer } from '../entitlements/entitlements.service.ts'
import { findProgramme } from './channels.repository.ts'
import { listProgrammes } from './channels.service.ts'
import { listShowings } from './showings.service.ts'

/** How far away a neighbour may lie to be one, in milliseconds. */
const NEAR_MS = 24 * 3600_000
const MOST_SHOWINGS = 20

/**
 * A programme with its neighbours and its other showings (V7-11). What a viewer may not see does not exist.
 *
 * @param now milliseconds since the Unix epoch
 * @throws ServiceError `notFound`
 */
export async function findEvent(
  db: Database,
  viewer: Viewer,
  language: Language,
  now: number,
  { id, channelId }: { id: number; channelId: number | undefined },
): Promise<OutputOf<typeof epgEvent>> {
  const found = await findProgramme(db, id, channelId)
  if (!found) throw new ServiceError('notFound')
  const { assetId, programmeKey } = found
  const [guide, showings] = await Promise.all([
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
  ])
  const programmes = guide.get(found.channelId) ?? []
  const place = programmes.findIndex((programme) => programme.id === id)
  const current = programmes[place]
  if (!current) throw new ServiceError('notFound')
  const all = [...showings.assets.values(), ...showings.programmes.values()].flat()
  return {
    previous: programmes[place - 1] ?? null,
    current,
    next: programmes[place + 1] ?? null,
    showings: all.filter((programme) => programme.id !== id),
  }
}
