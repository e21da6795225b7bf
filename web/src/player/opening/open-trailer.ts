import { readTrailer } from '@ondine/contract/playback'
import type { Playable, PlayerTarget } from '../content/playable.ts'
import { NO_SEGMENTS } from '../content/segments.ts'
import type { Opening, OpeningService } from './opening.ts'

/**
 * Opens a trailer by its media id, without sign-in (V4-22).
 *
 * @param playable the cached fields of the trailer's title
 * @throws ApiError when there is no such trailer
 */
export async function openTrailer(
  target: Extract<PlayerTarget, { kind: 'trailer' }>,
  service: OpeningService,
  playable: Playable,
): Promise<Opening> {
  const scripts = service.loadScripts()
  const read = await service.call(readTrailer, { idMedia: target.id, format: 'dash' })
  await scripts
  const languages = { ...service.defaultLanguages(), ...service.chosenLanguages() }
  service.prepare({ url: read.url, licence: read.drm, startAt: null, languages })
  return {
    kind: 'opened',
    opened: {
      streamUrl: read.url,
      licenseData: read.drm,
      assetStartTime: null,
      selectedMedia: languages,
      segments: NO_SEGMENTS,
      session: null,
      isTrailer: true,
      related: [],
      nextAsset: null,
      playable,
    },
  }
}
