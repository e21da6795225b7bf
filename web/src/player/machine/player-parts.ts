import { activeAssets, contentData, homeContent } from '@ondine/contract/catalogue'
import { casAddDevice } from '@ondine/contract/devices'
import { msg } from '@ondine/contract/messages'
import type { InputOf, Operation, OutputOf } from '@ondine/contract/operation'
import { channelStream, readAsset, reportAd, testAsset } from '@ondine/contract/playback'
import { listRecordings, playRecording, readRecording } from '@ondine/contract/recordings'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { CODES } from '../../api/codes.ts'
import { serviceOrigin } from '../../api/service-origin.ts'
import { assetQuery, relatedQuery } from '../../features/content/catalogue/queries.ts'
import { channelsQuery } from '../../features/content/line-up/queries.ts'
import { serviceNow } from '../../features/ground/clock/browser-clock.ts'
import { configurationOf } from '../../features/ground/configuration/configuration-query.ts'
import { hasFairPlay, hasHardwareSecurity } from '../../features/ground/platform/decryption-module.ts'
import { deviceStorage } from '../../features/ground/platform/device-storage.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'
import { registerDevice } from '../../features/people/devices/register-device.ts'
import { askParentalCode } from '../../features/people/parental/ask-code.ts'
import { prefer, preferencesOf } from '../../features/people/profiles/preferences.ts'
import type { Languages } from '../content/playable.ts'
import { trailerPlayable } from '../content/trailer-playable.ts'
import {
  keepChosenLanguages,
  keepChosenTrack,
  readChosenLanguages,
  readChosenTrack,
} from '../engine/chosen-languages.ts'
import type { Engine } from '../engine/engine.ts'
import { CodeNotEntered } from '../engine/player-error.ts'
import { loadShaka } from '../engine/shaka.ts'
import { assetOf, lengthOf, openAsset } from '../opening/open-asset.ts'
import { askStreamAhead, type ChannelStream, openChannel } from '../opening/open-channel.ts'
import type { openDownloaded } from '../opening/open-downloaded.ts'
import { openRecording } from '../opening/open-recording.ts'
import { openTrailer } from '../opening/open-trailer.ts'
import { needsCode, type Opening, type OpeningService } from '../opening/opening.ts'
import { fetchProgrammes } from '../opening/programmes.ts'
import { createAdReporter } from './ad-reporter.ts'
import type { EndTarget } from './end-target.ts'
import type { PlayerParts } from './player-context.ts'
import { createReporter, type Heartbeat, PLAYER_EVENT } from './reporter.ts'
import { sendHeartbeat } from './send-heartbeat.ts'

/** Functions and values of the page that the player uses. */
export interface PlayerSurroundings {
  queryClient: QueryClient
  engine: Engine
  signIn(): void
  go(target: EndTarget): void
  from(): string | undefined
  /** Called if the service refuses the playback session while the content plays. */
  refused(error: unknown, session: string): void
  /** Called if the playback session has expired while the content plays, and the viewer is still signed in. */
  expired(session: string): void
  /** Fallback title of a trailer whose title is not in the cache. */
  trailerTitle: string
  /**
   * Sends a call for playback. By default, calls have the tokens of the page. A screen sets another function,
   * because it plays with the rights of the profile that has cast.
   */
  call?: OpeningService['call'] | undefined
  /** Languages that the phone has chosen for this screen. */
  languages?: Partial<Languages> | undefined
}

/** The player's dependencies in a browser, and a function that requests the stream of a channel in advance. */
export interface BrowserParts extends PlayerParts {
  /** Requests the stream of a channel in advance. A switch to this channel then saves a round trip. */
  anticipate(idChannel: number): void
}

/**
 * Time after which a stream that was requested in advance is not used any more. The playback session of the stream is
 * valid far longer.
 */
const ANTICIPATED_MS = 10 * 60_000

/** A stream that was requested in advance, with the time and the proof of the parental code at its request. */
interface Anticipated {
  stream: Promise<ChannelStream>
  at: number
  proof: Promise<string | null> | undefined
}

/** Calls whose answers depend on the profile's positions in titles. */
const WATCHED: ReadonlySet<unknown> = new Set([
  contentData.name,
  homeContent.name,
  activeAssets.name,
  listRecordings.name,
])

/** Calls that start a playback session. */
const STARTS: ReadonlySet<string> = new Set([readAsset.name, channelStream.name, playRecording.name])

/** Opens a download. The code loads with the first download, because most visits play no download. */
async function openOffline(target: Parameters<typeof openDownloaded>[0]): Promise<Opening> {
  const opening = await import('../opening/open-downloaded.ts')
  return await opening.openDownloaded(target)
}

/** Creates the state machine's dependencies for the browser. */
export function browserParts(surroundings: PlayerSurroundings): BrowserParts {
  const { queryClient, engine, signIn, go, from, refused, expired, trailerTitle } = surroundings
  const send = surroundings.call ?? call
  const isScreen = surroundings.call !== undefined
  /** The languages that phones have chosen for this screen. They are not stored, and apply to the following episodes. */
  let chosenHere = surroundings.languages ?? {}
  const anticipated = new Map<number, Anticipated>()

  const settings = () => configurationOf(queryClient).player
  const profileId = () => profileIdOf(queryClient)
  /**
   * Returns whether this device decrypts and decodes in hardware; false if the operator does not require hardware.
   */
  const security = async () =>
    configurationOf(queryClient).protection.hardwareAboveHeight > 0 && {
      hasHardwareSecurity: await hasHardwareSecurity(),
    }
  const withDevice = async <O extends Operation>(operation: O, asked: InputOf<O>) =>
    STARTS.has(operation.name)
      ? { ...asked, ...(await security()), ...((await hasFairPlay()) && { hasFairPlay: true }) }
      : asked
  /** The proof that the viewer has entered the parental code; null if the viewer has left the question for it. */
  let proof: Promise<string | null> | undefined
  const askForProof = (operation: Operation) =>
    askParentalCode(operation.name === casAddDevice.name ? 'newDevice' : undefined).catch(
      (failure: unknown) => {
        proof = undefined
        throw failure
      },
    )
  /**
   * Sends a call for playback. If the service requires the parental code, repeats the call with the proof that the
   * code was correct (A6-06, A6-08). The viewer enters the code once, and again after the proof has expired.
   *
   * @param signal aborted when nobody waits for the answer any more. The viewer is then not asked
   * @throws CodeNotEntered if the viewer leaves the popup without entering the code
   */
  const callWithProof = async <O extends Operation>(
    operation: O,
    asked: InputOf<O>,
    signal?: AbortSignal,
  ) => {
    const input = await withDevice(operation, asked)
    const sendWithProof = async (refusal: unknown): Promise<OutputOf<O>> => {
      // A screen has no controls for entering a code. The phone that has cast shows that the content is blocked.
      if (isScreen || !needsCode(refusal) || signal?.aborted === true) throw refusal
      const older = proof
      proof ??= askForProof(operation)
      const used = proof
      const parentalProof = await used
      // A parallel call may have replaced the proof already. Both calls then share one question.
      const drop = () => {
        if (proof === used) proof = undefined
      }
      if (parentalProof === null) {
        drop()
        throw new CodeNotEntered(refusal)
      }
      try {
        return await send(operation, { ...input, parentalProof })
      } catch (error) {
        if (needsCode(error)) drop()
        if (used !== older) throw error
        return await sendWithProof(error)
      }
    }
    return await send(operation, input).catch(sendWithProof)
  }
  const callQuietly = async <O extends Operation>(operation: O, asked: InputOf<O>) => {
    const parentalProof = (await proof) ?? undefined
    return await send(operation, { ...(await withDevice(operation, asked)), parentalProof })
  }
  const service: Omit<OpeningService, 'begun'> = {
    loadScripts: loadShaka,
    signedIn: async () => {
      const { account } = await queryClient.ensureQueryData(sessionQuery)
      // This browser must be a registered device of the account before playback (V4-18).
      // A screen is a device of its own, whatever profile the phone has lent it.
      if (account !== null)
        await (isScreen ? registerDevice(account.id) : registerDevice(account.id, service.call))
      return account !== null
    },
    call: callWithProof,
    callQuietly,
    channels: () => queryClient.fetchQuery(channelsQuery),
    content: (idAsset) => queryClient.fetchQuery(assetQuery(idAsset)),
    related: (idAsset) => queryClient.ensureQueryData(relatedQuery('asset', idAsset)),
    prepare: engine.prepare,
    page: () => ({
      page_url: serviceOrigin() + location.pathname + location.search,
      device_ua: navigator.userAgent,
    }),
    defaultLanguages: () => defaultLanguages(queryClient),
    chosenLanguages: () => ({ ...chosenLanguages(queryClient), ...chosenHere }),
    now: serviceNow,
    report: (error) => void reportFault(error),
  }

  /**
   * Returns the stream of a channel that was requested in advance; undefined if it is too old. A session that began
   * before the viewer entered the code gets no keys of programmes that need the code.
   */
  function anticipatedStream(idChannel: number): Promise<ChannelStream> | undefined {
    const found = anticipated.get(idChannel)
    if (found === undefined || found.proof !== proof) return undefined
    return serviceNow() - found.at < ANTICIPATED_MS ? found.stream : undefined
  }

  function takeAnticipated(idChannel: number): Promise<ChannelStream> | undefined {
    const stream = anticipatedStream(idChannel)
    anticipated.delete(idChannel)
    return stream
  }

  async function keepWithProfile({ audio, sub, captions }: Partial<Languages>): Promise<void> {
    try {
      await prefer(queryClient, {
        ...(audio !== undefined && { audioLanguage: audio }),
        ...(sub !== undefined && { subtitleLanguage: sub }),
        ...(captions !== undefined && { subtitleCaptions: captions }),
      })
    } catch (error) {
      // Saving has failed. The chosen languages apply to this playback, but other devices do not get them.
      await reportFault(error)
    }
  }

  async function takeRefusal(error: unknown, { session, event }: Heartbeat): Promise<void> {
    const isInvalid = error instanceof ApiError && error.code === CODES.tokenInvalid
    // A session that is refused at its start has not expired. Another session would be refused too.
    const { account } =
      isInvalid && event !== 'start'
        ? await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
        : { account: null }
    if (account === null) refused(error, session)
    else expired(session)
  }

  async function beat(heartbeat: Heartbeat): Promise<void> {
    try {
      await sendHeartbeat(heartbeat)
    } catch (error) {
      await takeRefusal(error, heartbeat).catch((failure: unknown) => refused(failure, heartbeat.session))
    }
    // Invalidates cached answers, so that other pages show the new position.
    if (heartbeat.event === 'close' || heartbeat.event === 'end') {
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => WATCHED.has(queryKey[0]) })
    }
  }

  return {
    engine,
    signIn,
    go,
    from,
    open: (target, begun, signal) => {
      const opening: OpeningService = {
        ...service,
        begun,
        call: async (operation, asked) => await callWithProof(operation, asked, signal),
        prepare: (stream) => {
          if (!signal.aborted) engine.prepare(stream)
        },
      }
      if (target.kind === 'asset' && target.offline === true) return openOffline(target)
      if (target.kind === 'asset') return openAsset(target, opening)
      if (target.kind === 'channel') return openChannel(target, opening, takeAnticipated(target.id))
      if (target.kind === 'recording') return openRecording(target, opening)
      return openTrailer(target, opening, trailerPlayable(target.id, queryClient, trailerTitle))
    },
    lengthSeconds: async ({ kind, id }) =>
      kind === 'asset'
        ? lengthOf(
            assetOf(
              // Fails without a network, instead of waiting for it.
              await queryClient.fetchQuery({ ...assetQuery(id), staleTime: 0, networkMode: 'always' }),
            ),
          )
        : (await send(readRecording, { id })).duration,
    mayPlay: async (idAsset) => (await send(testAsset, { idAsset, parentalProof: undefined })).playable,
    programmes: (idChannel) => fetchProgrammes(idChannel, serviceNow() / 1000, { call }),
    reporter: createReporter(
      (heartbeat) => void beat(heartbeat),
      (reported, event) => {
        window.dispatchEvent(new CustomEvent(PLAYER_EVENT, { detail: { ...reported, ...event } }))
      },
    ),
    adReporter: createAdReporter((report, event, at) => void call(reportAd, { report, event, at })),
    now: serviceNow,
    keepLanguages: (chosen) => {
      // On a screen, the profile that has cast differs from the profile of the screen, so the languages are not
      // stored.
      if (isScreen) {
        chosenHere = { ...chosenHere, ...chosen }
        return
      }
      if (chosen.audio !== undefined) keepChosenTrack(deviceStorage, profileId(), chosen)
      keepChosenLanguages(deviceStorage, profileId(), chosen)
      if (profileId() !== 0) void keepWithProfile(chosen)
    },
    settings,
    anticipate: (idChannel) => {
      if (anticipatedStream(idChannel) !== undefined) return
      // The viewer has not chosen this channel, so its stream must not ask for the parental code.
      const stream = askStreamAhead(idChannel, service)
      // Ignores the error. If the viewer switches to this channel, the stream is requested again, and that request
      // reports the error.
      stream.catch(() => {
        if (anticipated.get(idChannel)?.stream === stream) anticipated.delete(idChannel)
      })
      anticipated.set(idChannel, { stream, at: serviceNow(), proof })
    },
  }
}

/** Returns the operator's default languages for audio and subtitles. */
export function defaultLanguages(queryClient: QueryClient): Languages {
  const { defaultAudio: audio, defaultSubtitle: sub } = configurationOf(queryClient).player
  return { audio, sub }
}

/**
 * Returns the languages that the profile last chose on any device, or else on this device (spec 21). The choice among
 * several audio tracks of a language holds on this device only, because their labels depend on the stream.
 */
export function chosenLanguages(queryClient: QueryClient): Partial<Languages> {
  const {
    audioLanguage: audio,
    subtitleLanguage: sub,
    subtitleCaptions: captions,
  } = preferencesOf(queryClient)
  const profileId = profileIdOf(queryClient)
  const here = readChosenLanguages(deviceStorage, profileId)
  return {
    ...here,
    ...readChosenTrack(deviceStorage, profileId, audio ?? here.audio),
    ...(audio !== undefined && { audio }),
    ...(sub !== undefined && { sub }),
    ...(captions !== undefined && { captions }),
  }
}

function profileIdOf(queryClient: QueryClient): number {
  return queryClient.getQueryData(sessionQuery.queryKey)?.profile?.id ?? 0
}

/** Sends an error to the service's log (V7-26). */
async function reportFault(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  try {
    await call(msg, { level: 'warn', classification: 'player', context: { message } })
  } catch (unreported) {
    // Ignores a refused report. The reason of the refusal is about to stop the player anyway.
    if (!(unreported instanceof ApiError)) throw unreported
  }
}
