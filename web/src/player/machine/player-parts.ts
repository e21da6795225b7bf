import { activeAssets, contentData, homeContent } from '@ondine/contract/catalogue'
import { msg } from '@ondine/contract/messages'
import { channelStream, readAsset, reportAd } from '@ondine/contract/playback'
import { listRecordings, playRecording } from '@ondine/contract/recordings'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { CODES } from '../../api/codes.ts'
import { assetQuery, relatedQuery } from '../../features/content/catalogue/queries.ts'
import { channelsQuery } from '../../features/content/line-up/queries.ts'
import { serviceNow } from '../../features/ground/clock/browser-clock.ts'
import { configurationOf } from '../../features/ground/configuration/configuration-query.ts'
import { sessionQuery } from '../../features/ground/session/session.ts'
import { registerDevice } from '../../features/people/devices/register-device.ts'
import { askParentalCode } from '../../features/people/parental/ask-code.ts'
import { prefer, preferencesOf } from '../../features/people/profiles/preferences.ts'
import type { Languages } from '../content/playable.ts'
import { trailerPlayable } from '../content/trailer-playable.ts'
import { keepChosenLanguages, readChosenLanguages } from '../engine/chosen-languages.ts'
import type { Engine } from '../engine/engine.ts'
import { hasHardwareSecurity } from '../engine/hardware-security.ts'
import { loadShaka } from '../engine/shaka.ts'
import { openAsset } from '../opening/open-asset.ts'
import { askStream, type ChannelStream, openChannel } from '../opening/open-channel.ts'
import type { openDownloaded } from '../opening/open-downloaded.ts'
import { openRecording } from '../opening/open-recording.ts'
import { openTrailer } from '../opening/open-trailer.ts'
import type { Opening, OpeningService } from '../opening/opening.ts'
import { fetchProgrammes } from '../opening/programmes.ts'
import { createAdReporter } from './ad-reporter.ts'
import type { EndTarget } from './end-target.ts'
import type { PlayerParts } from './player-context.ts'
import { createReporter, type Heartbeat, PLAYER_EVENT } from './reporter.ts'
import { sendHeartbeat } from './send-heartbeat.ts'

/** The dependencies on the page around the player. */
export interface PlayerSurroundings {
  queryClient: QueryClient
  engine: Engine
  signIn(): void
  go(target: EndTarget): void
  from(): string | undefined
  /** Called when the session is refused during playback. */
  refused(error: unknown): void
  /** Name of a trailer whose film is unknown. */
  trailerTitle: string
  /**
   * Sends a call for playback; by default with the tokens of the page. Set on a screen, which plays with the rights of
   * the profile that has cast.
   */
  call?: OpeningService['call'] | undefined
}

/** The player's dependencies in a browser, and a function that requests channels ahead of time. */
export interface BrowserParts extends PlayerParts {
  /** Requests the stream of a channel that may be next, so that switching to it saves a round trip. */
  anticipate(idChannel: number): void
}

/** Time for which a stream that was requested ahead of time can be used. Its session is valid far longer. */
const ANTICIPATED_MS = 10 * 60_000

/** Calls whose answers depend on the watched position. */
const WATCHED: ReadonlySet<unknown> = new Set([
  contentData.name,
  homeContent.name,
  activeAssets.name,
  listRecordings.name,
])

/** Calls that start a session. */
const STARTS: ReadonlySet<string> = new Set([readAsset.name, channelStream.name, playRecording.name])

/** Opens a download. Its code loads with the first download, because most visits play none. */
async function openOffline(target: Parameters<typeof openDownloaded>[0]): Promise<Opening> {
  const opening = await import('../opening/open-downloaded.ts')
  return await opening.openDownloaded(target)
}

/** Creates the machine's dependencies for the browser. */
export function browserParts(surroundings: PlayerSurroundings): BrowserParts {
  const { queryClient, engine, signIn, go, from, refused, trailerTitle } = surroundings
  const send = surroundings.call ?? call
  const isScreen = surroundings.call !== undefined
  /** Languages that phones have chosen on this screen. They hold for the following episodes too. */
  let chosenOnScreen: Partial<Languages> = {}
  const anticipated = new Map<number, { stream: Promise<ChannelStream>; at: number }>()

  const settings = () => configurationOf(queryClient).player
  const profileId = () => profileIdOf(queryClient)
  /** Whether this device decrypts and decodes in hardware, for an operator who asks for it. */
  const security = async () =>
    configurationOf(queryClient).protection.hardwareAboveHeight > 0 && {
      hasHardwareSecurity: await hasHardwareSecurity(),
    }
  let proof: Promise<string | null> | undefined
  /**
   * A call that requires the parental code asks the viewer for the code once, and is repeated with the proof (A6-06,
   * A6-08).
   */
  const callForPlayer: OpeningService['call'] = async (operation, asked) => {
    const input = STARTS.has(operation.name) ? { ...asked, ...(await security()) } : asked
    try {
      return await send(operation, input)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== CODES.invalidAccessCode) throw error
      // Nobody in front of a screen can answer. The phone that has cast says that the content is blocked.
      if (isScreen) throw error
      proof ??= askParentalCode()
      const parentalProof = await proof
      if (parentalProof === null) {
        proof = undefined
        throw error
      }
      return await send(operation, { ...input, parentalProof }).catch((refused: unknown) => {
        // A proof expires, so the next call that requires a proof asks the viewer again.
        proof = undefined
        throw refused
      })
    }
  }
  const service: OpeningService = {
    loadScripts: loadShaka,
    signedIn: async () => {
      const { account } = await queryClient.ensureQueryData(sessionQuery)
      // Before playback, this browser is registered as a device of the account (V4-16).
      if (account !== null) await registerDevice(account.id)
      return account !== null
    },
    call: callForPlayer,
    channels: () => queryClient.fetchQuery(channelsQuery),
    content: (idAsset) => queryClient.fetchQuery(assetQuery(idAsset)),
    related: (idAsset) => queryClient.ensureQueryData(relatedQuery('asset', idAsset)),
    prepare: engine.prepare,
    page: () => ({ page_url: location.href, device_ua: navigator.userAgent }),
    defaultLanguages: () => defaultLanguages(queryClient),
    chosenLanguages: () => ({ ...chosenLanguages(queryClient), ...chosenOnScreen }),
    report: (error) => void reportFault(error),
  }

  function takeAnticipated(idChannel: number): Promise<ChannelStream> | undefined {
    const found = anticipated.get(idChannel)
    anticipated.delete(idChannel)
    return found !== undefined && serviceNow() - found.at < ANTICIPATED_MS ? found.stream : undefined
  }

  async function keepWithProfile({ audio, sub }: Partial<Languages>): Promise<void> {
    try {
      await prefer(queryClient, {
        ...(audio !== undefined && { audioLanguage: audio }),
        ...(sub !== undefined && { subtitleLanguage: sub }),
      })
    } catch (error) {
      // Playback continues with the chosen languages, but other devices do not get them.
      await reportFault(error)
    }
  }

  async function beat(heartbeat: Heartbeat): Promise<void> {
    try {
      await sendHeartbeat(heartbeat)
    } catch (error) {
      refused(error)
    }
    // Pages behind the player show the new position.
    if (heartbeat.event === 'close' || heartbeat.event === 'end') {
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => WATCHED.has(queryKey[0]) })
    }
  }

  return {
    engine,
    signIn,
    go,
    from,
    open: (target) => {
      if (target.kind === 'asset' && target.offline === true) return openOffline(target)
      if (target.kind === 'asset') return openAsset(target, service)
      if (target.kind === 'channel') return openChannel(target, service, takeAnticipated(target.id))
      if (target.kind === 'recording') return openRecording(target, service)
      return openTrailer(target, service, trailerPlayable(target.id, queryClient, trailerTitle))
    },
    programmes: (idChannel) => fetchProgrammes(idChannel, serviceNow() / 1000, { call }),
    reporter: createReporter(
      (heartbeat) => void beat(heartbeat),
      (reported, event) => {
        window.dispatchEvent(new CustomEvent(PLAYER_EVENT, { detail: { ...reported, ...event } }))
      },
    ),
    adReporter: createAdReporter((report, event) => void call(reportAd, { report, event })),
    now: serviceNow,
    keepLanguages: (chosen) => {
      // The profile that watches on a screen is not the profile of the screen.
      if (isScreen) {
        chosenOnScreen = { ...chosenOnScreen, ...chosen }
        return
      }
      keepChosenLanguages(localStorage, profileId(), chosen)
      if (profileId() !== 0) void keepWithProfile(chosen)
    },
    settings,
    anticipate: (idChannel) => {
      if (anticipated.has(idChannel)) return
      const stream = askStream(idChannel, service)
      // Ignores the error for now. If the viewer switches to this channel, the stream is requested again and the error
      // is reported.
      stream.catch(() => anticipated.delete(idChannel))
      anticipated.set(idChannel, { stream, at: serviceNow() })
    },
  }
}

/** Returns the operator's default languages. */
export function defaultLanguages(queryClient: QueryClient): Languages {
  const { defaultAudio: audio, defaultSubtitle: sub } = configurationOf(queryClient).player
  return { audio, sub }
}

/** Returns the last choice of the profile on any device, else the last choice on this device (spec 21). */
export function chosenLanguages(queryClient: QueryClient): Partial<Languages> {
  const { audioLanguage: audio, subtitleLanguage: sub } = preferencesOf(queryClient)
  const here = readChosenLanguages(localStorage, profileIdOf(queryClient))
  return { ...here, ...(audio !== undefined && { audio }), ...(sub !== undefined && { sub }) }
}

function profileIdOf(queryClient: QueryClient): number {
  return queryClient.getQueryData(sessionQuery.queryKey)?.profile?.id ?? 0
}

/** Reports an error to the service's log (V7-26). */
async function reportFault(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  try {
    await call(msg, { level: 'warn', classification: 'player', context: { message } })
  } catch (unreported) {
    // If the service does not accept reports, the player is about to stop for that reason anyway.
    if (!(unreported instanceof ApiError)) throw unreported
  }
}
