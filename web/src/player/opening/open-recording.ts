import { playRecording, type Recording, readRecording } from '@ondine/contract/recordings'
import { pathOf } from '../../features/ground/links/content-link.ts'
import type { Playable, PlayerTarget } from '../content/playable.ts'
import { NO_SEGMENTS } from '../content/segments.ts'
import type { Opening, OpeningService } from './opening.ts'

/**
 * Opens a recording: sign-in, recording, stream with licence.
 *
 * @throws ApiError when a call is refused
 */
export async function openRecording(
  target: Extract<PlayerTarget, { kind: 'recording' }>,
  service: OpeningService,
): Promise<Opening> {
  const scripts = service.loadScripts()
  if (!(await service.signedIn())) {
    await scripts
    return { kind: 'signIn' }
  }
  const { id, start } = target
  const [recording, read] = await Promise.all([
    service.call(readRecording, { id }),
    service.call(playRecording, {
      id,
      x: start === undefined ? 'last' : 'start',
      format: 'dash',
      parentalProof: undefined,
    }),
  ])
  await scripts
  const languages = { ...service.defaultLanguages(), ...service.chosenLanguages() }
  // A manifest that grows counts from the Unix epoch.
  const begin = read.isGrowing ? read.startsAt : 0
  const startAt = begin + (start === undefined || start === 0 ? read.seek : start)
  service.prepare({ url: read.url, licence: read.drm, startAt, languages })
  return {
    kind: 'opened',
    opened: {
      streamUrl: read.url,
      licenseData: read.drm,
      assetStartTime: startAt,
      selectedMedia: languages,
      segments: NO_SEGMENTS,
      session: read.session,
      isTrailer: false,
      related: [],
      nextAsset: null,
      playable: recordingPlayable(recording),
    },
  }
}

function recordingPlayable({ id, title, synopsis, image }: Recording): Playable {
  return {
    kind: 'recording',
    id,
    title,
    description: synopsis,
    backgroundImage: image,
    detailRoute: pathOf('library-completed-records'),
    live: false,
    isSerie: false,
    serieId: -1,
    seriesRoute: null,
    metadatas: {},
    isIncludedInUserOffers: true,
    medias: [],
    timeshift: true,
    startOver: false,
    endsAt: null,
  }
}
