import { listRecordings, playRecording, type Recording, readRecording } from '@ondine/contract/recordings'
import { pathOf } from '../../features/ground/links/content-link.ts'
import type { NextAsset, Playable, PlayerTarget } from '../content/playable.ts'
import { NO_SEGMENTS, shifted } from '../content/segments.ts'
import { nextRecording } from './next-recording.ts'
import { readSegments } from './open-asset.ts'
import { begin, type Opening, type OpeningService } from './opening.ts'

/**
 * Opens a recording: sign-in, recording, stream with licence, and the named ranges of its title.
 *
 * @throws ApiError when the service refuses a call
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
  const [recording, { records }, read] = await Promise.all([
    service.call(readRecording, { id }),
    service.call(listRecordings, {}),
    begin(
      service.call(playRecording, {
        id,
        x: start === undefined ? 'last' : 'start',
        format: 'dash',
        parentalProof: undefined,
      }),
      service,
    ),
  ])
  await scripts
  const languages = { ...service.defaultLanguages(), ...service.chosenLanguages(), ...target.languages }
  const startAt = start === undefined || start === 0 ? read.seek : start
  service.prepare({ url: read.url, licence: read.drm, startAt, languages })
  const segments = recording.idAsset === null ? NO_SEGMENTS : await readSegments(recording.idAsset, service)
  return {
    kind: 'opened',
    opened: {
      streamUrl: read.url,
      licenseData: read.drm,
      assetStartTime: startAt,
      selectedMedia: languages,
      // The recording begins with a margin before the title, so the title's named ranges are moved by this margin.
      segments: shifted(segments, recording.startutc - read.startsAt),
      session: read.session,
      ...(read.isGrowing && { lengthSeconds: recording.duration }),
      isTrailer: false,
      related: [],
      nextAsset: nextAsset(nextRecording(records, recording)),
      playable: recordingPlayable(recording),
    },
  }
}

/**
 * Converts the next recording for the player. If the viewer has already begun this recording, it continues at the
 * last position.
 */
function nextAsset(recording: Recording | undefined): NextAsset | null {
  if (recording === undefined) return null
  const { id, position, state, image, isBlurred } = recording
  return {
    target: { kind: 'recording', id, ...(position > 0 && state !== 'played' ? {} : { start: 0 }) },
    title: titleOf(recording),
    detailRoute: pathOf('library-completed-records'),
    directMetadata: metadatasOf(recording),
    thumbnailImage: image,
    backgroundImage: image,
    posterImage: null,
    isBlurred,
    rentalPrice: null,
    isIncludedInUserOffers: true,
  }
}

function recordingPlayable(recording: Recording): Playable {
  return {
    kind: 'recording',
    id: recording.id,
    title: titleOf(recording),
    description: recording.synopsis,
    backgroundImage: recording.isBlurred ? null : recording.image,
    detailRoute: pathOf('library-completed-records'),
    live: false,
    isSerie: recording.subtitle !== '',
    serieId: -1,
    seriesRoute: null,
    metadatas: metadatasOf(recording),
    isIncludedInUserOffers: true,
    medias: [],
    timeshift: true,
    startOver: false,
    recordable: false,
    endsAt: null,
  }
}

/** Returns the title of the episode, or of the programme. */
function titleOf({ title, subtitle }: Pick<Recording, 'title' | 'subtitle'>): string {
  return subtitle === '' ? title : subtitle
}

function metadatasOf({
  title,
  season,
  episode,
  lastEpisode,
}: Pick<Recording, 'title' | 'season' | 'episode' | 'lastEpisode'>) {
  return {
    AD_SURTITLE: title,
    ...(season !== null && { AD_SERIESEA: season }),
    ...(episode !== null && { AD_SERIESEP: episode }),
    ...(lastEpisode !== undefined && { AD_SERIESEPEND: lastEpisode }),
  }
}
