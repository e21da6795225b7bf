import type { Channel } from '@ondine/contract/entities'
import { ERRORS } from '@ondine/contract/errors'
import type { InputOf, OutputOf } from '@ondine/contract/operation'
import { askLicenseFP, askLicenseWV, channelStream } from '@ondine/contract/playback'
import { ApiError } from '../../api/api-error.ts'
import type { Playable, PlayerTarget } from '../content/playable.ts'
import { NO_SEGMENTS } from '../content/segments.ts'
import { licenceKind } from '../engine/stream-kind.ts'
import { begin, licenceOf, needsCode, type Opening, type OpeningService } from './opening.ts'

/** The service's answer to a request for a channel's stream. */
export type ChannelStream = OutputOf<typeof channelStream>

/**
 * Opens a channel (V4-24): sign-in, stream, licence. `fetchProgrammes` fetches the live programme last, while
 * the first segments are loading.
 *
 * @param known the answer of {@link askStreamAhead}, if the stream was requested ahead of time
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
  // If the request ahead of time has failed, only the second request asks for the parental code, and it reports the error.
  const ahead = target.start === undefined ? await known?.catch(() => undefined) : undefined
  const [channels, asked] = await Promise.all([
    service.channels(),
    begin(
      ahead ??
        (target.start === undefined
          ? askStream(idChannel, service)
          : askStart(idChannel, { start: target.start, continues: target.continues }, service)),
      service,
    ),
  ])
  const channel = channels.find((candidate) => candidate.idChannel === idChannel)
  if (channel === undefined) throw new ApiError(CHANNEL_UNKNOWN)
  await scripts
  const languages = { ...service.defaultLanguages(), ...service.chosenLanguages(), ...target.languages }
  const license = async (stream: ChannelStream, call: OpeningService['call']) => {
    // The start time needs a separate seek, after the player has found the live edge (V4-31).
    service.prepare({ url: stream.url, licence: stream.drm, startAt: null, languages })
    const licence = licenceKind(stream.url) === 'fairplay' ? askLicenseFP : askLicenseWV
    const input: InputOf<typeof licence> = { idChannel, parentalProof: undefined }
    return { stream, licenseData: await licenceOf(call(licence, input), stream.drm) }
  }
  const { stream, licenseData } =
    ahead === undefined
      ? await license(asked, service.call)
      : await license(ahead, service.callQuietly).catch(async (error: unknown) => {
          if (!needsCode(error)) throw error
          // Since the request ahead of time, a programme has begun that needs the parental code. The session of that
          // request would get no keys for it, even after the viewer has entered the code.
          return await license(await begin(askStream(idChannel, service), service), service.call)
        })
  return {
    kind: 'opened',
    opened: {
      streamUrl: stream.url,
      licenseData,
      // If the service returns no start, the player tries the requested start. This can succeed on a relayed
      // channel, because such a channel has the seekable range of its source.
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

function askStream(
  idChannel: number,
  service: Pick<OpeningService, 'call' | 'page'>,
): Promise<ChannelStream> {
  return service.call(channelStream, inputOf(idChannel, service))
}

/** Requests the stream of a channel that the viewer has not chosen yet. Does not ask for the parental code. */
export function askStreamAhead(
  idChannel: number,
  service: Pick<OpeningService, 'callQuietly' | 'page'>,
): Promise<ChannelStream> {
  return service.callQuietly(channelStream, { ...inputOf(idChannel, service), isAhead: true })
}

function inputOf(idChannel: number, service: Pick<OpeningService, 'page'>): InputOf<typeof channelStream> {
  return { idChannel, format: 'dash', parentalProof: undefined, adsMacro: service.page() }
}

/** The start time is older than the channel's window. */
const OUT_OF_REACH: ReadonlySet<number> = new Set([ERRORS.noMediaFound.code])

/** After an interruption, the guide can also forbid the start time, or give its programme another level. */
const OUT_OF_REACH_NOW: ReadonlySet<number> = new Set([
  ...OUT_OF_REACH,
  ERRORS.startOverForbidden.code,
  ERRORS.notFound.code,
])

/** Requests a channel's stream from a start time on. If the start time is out of reach, requests the live stream. */
async function askStart(
  idChannel: number,
  { start, continues = false }: { start: number; continues?: boolean | undefined },
  service: Pick<OpeningService, 'call' | 'page'>,
): Promise<ChannelStream> {
  try {
    return await service.call(channelStream, { ...inputOf(idChannel, service), start })
  } catch (error) {
    const expected = continues ? OUT_OF_REACH_NOW : OUT_OF_REACH
    if (!(error instanceof ApiError) || !expected.has(error.code)) throw error
    return await askStream(idChannel, service)
  }
}

/**
 * The error for a channel that is not in the viewer's list. It has the code of the service's error for a channel that
 * does not exist.
 */
const CHANNEL_UNKNOWN = { code: -10, status: 404, message: '' }

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
    recordable: channel.item.allowRecording,
    endsAt: null,
  }
}
