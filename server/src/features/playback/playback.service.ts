import type { Drm } from '@ondine/contract/playback'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/connection.ts'
import { ServiceError } from '../../http/errors.ts'
import { type Playable, requirePlay, type Viewer } from '../entitlements/entitlements.service.ts'
import { findPlayableAsset, type PlayableAsset, type PlayableMedia } from './playback.repository.ts'
import { createSession, type PlaybackContent } from './sessions.ts'

/** Manifest kinds, by the `format` that a client asks for. */
export type ManifestFormat = 'dash' | 'hls'

/** Where each kind of manifest begins below its session. */
const ENTRANCE: Record<ManifestFormat, string> = { dash: 'manifest.mpd', hls: 'main.m3u8' }

/** An asset that the viewer may play now, and the media that plays. */
export interface Admitted {
  asset: PlayableAsset
  media: PlayableMedia
}

/**
 * An asset, if the viewer may play it now; else the reason why not.
 *
 * @throws ServiceError those of `requirePlay`; notFound; noMediaFound while it is being prepared.
 */
export async function admitToAsset(
  db: Database,
  viewer: Viewer,
  assetId: number,
  now: number,
): Promise<Admitted> {
  const asset = await findPlayableAsset(db, assetId)
  if (!asset) throw new ServiceError('notFound')
  requirePlay(viewer, asPlayable(asset), now)
  if (asset.availability === 'withdrawn') throw new ServiceError('resourceNotActive')
  const [media] = asset.medias
  if (!media || asset.availability !== 'ready') throw new ServiceError('noMediaFound')
  return { asset, media }
}

/** What entitlement wants to know of an asset. */
export function asPlayable(asset: PlayableAsset): Playable {
  const { packageIds, moralityLevel, adult, validFrom, validTo } = asset
  return { kind: 'asset', packageIds, moralityLevel, adult, validFrom, validTo }
}

/** A session that has begun: its token, and where a player finds things. */
export interface StartedSession {
  session: string
  url: string
  drm: Drm | null
}

/** Begins a session for a viewer who has been admitted. `encrypted` is false for clear media, which needs no keys. */
export function startSession(
  { keys }: Pick<Context, 'keys'>,
  viewer: Viewer | null,
  content: PlaybackContent,
  format: ManifestFormat,
  encrypted: boolean,
): StartedSession {
  const who =
    viewer?.accountId != null && viewer.profileId != null
      ? { accountId: viewer.accountId, profileId: viewer.profileId }
      : null
  const session = createSession(keys, { viewer: who, content })
  return {
    session,
    url: `/play/${session}/${ENTRANCE[format]}`,
    drm: encrypted ? { keySystem: 'org.w3.clearkey', licenceUrl: `/play/${session}/licence` } : null,
  }
}
