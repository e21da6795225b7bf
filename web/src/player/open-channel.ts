import type { Channel } from '@ondine/contract/entities'
import { ERRORS } from '@ondine/contract/errors'
import type { InputOf, OutputOf } from '@ondine/contract/operation'
import { askLicenseFP, askLicenseWV, channelStream } from '@ondine/contract/playback'
import { ApiError } from '../api/api-error.ts'
import { licenceOf, type Opening, type OpeningService } from './opening.ts'
import type { Playable, PlayerTarget } from './playable.ts'
import { NO_SEGMENTS } from './segments.ts'
import { licenceKind } from './stream-kind.ts'

/** What the service answered when a channel's stream was asked for. */
export type ChannelStream = OutputOf<typeof channelStream>

/**
 * Opens a channel (V4-24): sign-in, stream, licence. The live programme is fetched last, by `fetchProgrammes`, while the
 * picture is already on its way.
 *
 * @param known the answer of {@link askStream} when it was asked for ahead of time
 * @throws ApiError when a call is refused
 */
export async function openChannel(
  target: Extract<PlayerTarget, { kind: 'channel' }>,
  service: OpeningService,
  known?: Promise<ChannelStream>,
): Promise<Opening> {
  const scripts = service.loadScripts()
  if (!(await service.signedIn())) {
    await scripts
    return { kind: 'signIn' }
  }
  const idChannel = target.id
  const [channels, stream] = await Promise.all([
    service.channels(),
    target.start === undefined
      ? (known ?? askStream(idChannel, service))
      : askStart(idChannel, target.start, service),
  ])
  const channel = channels.find((candidate) => candidate.idChannel === idChannel)
  if (channel === undefined) throw new ApiError(CHANNEL_UNKNOWN)
  await scripts
  const languages = { ...service.defaultLanguages(), ...service.chosenLanguages() }
  // A place to start from is a seek of its own, once the live edge is there (V4-31).
  service.prepare({ url: stream.url, licence: stream.drm, startAt: null, languages })
  const licence = licenceKind(stream.url) === 'fairplay' ? askLicenseFP : askLicenseWV
  const input: InputOf<typeof licence> = { idChannel, parentalProof: undefined }
  return {
    kind: 'opened',
    opened: {
      streamUrl: stream.url,
      licenseData: await licenceOf(service.call(licence, input), stream.drm),
      // Where the service promises no start, the player may still find it: a relay has what its source keeps.
      assetStartTime: stream.startsAt ?? target.start ?? null,
      selectedMedia: languages,
      segments: NO_SEGMENTS,
      session: stream.session,
      isTrailer: false,
      related: [],
      nextAsset: null,
      playable: channelPlayable(channel),
    },
  }
}

/** Asks for the stream of a channel; neighbours of the one that plays are asked for ahead of time. */
export function askStream(idChannel: number, service: Pick<OpeningService, 'call'>): Promise<ChannelStream> {
  return service.call(channelStream, { idChannel, format: 'dash', parentalProof: undefined })
}

/** Asks for a channel from a time on. A link may be older than the channel reaches back: then it plays live. */
async function askStart(
  idChannel: number,
  start: number,
  service: Pick<OpeningService, 'call'>,
): Promise<ChannelStream> {
  try {
    return await service.call(channelStream, { idChannel, format: 'dash', start, parentalProof: undefined })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== ERRORS.noMediaFound.code) throw error
    return await askStream(idChannel, service)
  }
}

/** A channel that is not in the list is refused like one that the service does not know. */
const CHANNEL_UNKNOWN = { code: -10, status: 404, message: 'Channel not found' }

function channelPlayable(channel: Channel): Playable {
  return {
    kind: 'channel',
    id: channel.idChannel,
    title: channel.name,
    description: channel.synopsis,
    backgroundImage: null,
    detailRoute: channel.detailRoute,
    live: true,
    isSerie: false,
    serieId: -1,
    seriesRoute: null,
    metadatas: channel.metadatas,
    isIncludedInUserOffers: channel.isIncludedInUserOffers,
    medias: [],
    timeshift: channel.item.allowTimeshift,
    startOver: channel.ottConfiguration.startOver,
    endsAt: null,
  }
}
