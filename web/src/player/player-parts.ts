import { activeAssets, contentData, homeContent } from '@ondine/contract/catalogue'
import { msg } from '@ondine/contract/messages'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/api-error.ts'
import { call } from '../api/call.ts'
import { CODES } from '../api/codes.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { assetQuery, relatedQuery } from '../features/catalogue/queries.ts'
import { channelsQuery } from '../features/channels/queries.ts'
import { serviceNow } from '../features/clock/browser-clock.ts'
import { configurationOf } from '../features/configuration/configuration-query.ts'
import { registerDevice } from '../features/devices/register-device.ts'
import { askParentalCode } from '../features/parental/ask-code.ts'
import { prefer, preferencesOf } from '../features/profiles/preferences.ts'
import { keepChosenLanguages, readChosenLanguages } from './chosen-languages.ts'
import type { EndTarget } from './end-target.ts'
import type { Engine } from './engine.ts'
import { openAsset } from './open-asset.ts'
import { askStream, type ChannelStream, openChannel } from './open-channel.ts'
import { openTrailer } from './open-trailer.ts'
import type { OpeningService } from './opening.ts'
import type { Languages } from './playable.ts'
import type { PlayerParts } from './player-context.ts'
import { fetchProgrammes } from './programmes.ts'
import { createReporter, type Heartbeat, PLAYER_EVENT } from './reporter.ts'
import { sendHeartbeat } from './send-heartbeat.ts'
import { loadShaka } from './shaka.ts'
import { trailerPlayable } from './trailer-playable.ts'

/** What the parts need from the page that the player stands in. */
export interface PlayerSurroundings {
  queryClient: QueryClient
  engine: Engine
  signIn(): void
  go(target: EndTarget): void
  from(): string | undefined
  /** The session was refused while it plays. */
  refused(error: unknown): void
  /** Name of a trailer whose film is not known. */
  trailerTitle: string
}

/** The parts of the player in a browser, and the way to ask for channels ahead of time. */
export interface BrowserParts extends PlayerParts {
  /** Asks for the stream of a channel that may be next, so that zapping to it saves a round trip. */
  anticipate(idChannel: number): void
}

/** A stream that was asked for ahead of time is used for so long; its session lives far longer. */
const ANTICIPATED_MS = 10 * 60_000

/** Calls whose answers change with what was watched. */
const WATCHED: ReadonlySet<unknown> = new Set([contentData.name, homeContent.name, activeAssets.name])

/** Puts the machine's parts together for the browser. */
export function browserParts(surroundings: PlayerSurroundings): BrowserParts {
  const { queryClient, engine, signIn, go, from, refused, trailerTitle } = surroundings
  const anticipated = new Map<number, { stream: Promise<ChannelStream>; at: number }>()

  const settings = () => configurationOf(queryClient).player
  const profileId = () => queryClient.getQueryData(sessionQuery.queryKey)?.profile?.id ?? 0
  let proof: Promise<string | null> | undefined
  /** What needs the parental code asks for it once, and is then asked for again with the proof (A6-06, A6-08). */
  const callForPlayer: OpeningService['call'] = async (operation, input) => {
    try {
      return await call(operation, input)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== CODES.invalidAccessCode) throw error
      proof ??= askParentalCode()
      const parentalProof = await proof
      if (parentalProof === null) {
        proof = undefined
        throw error
      }
      return await call(operation, { ...input, parentalProof }).catch((refused: unknown) => {
        // A proof holds for a while only: the next one that needs it asks again.
        proof = undefined
        throw refused
      })
    }
  }
  const service: OpeningService = {
    loadScripts: loadShaka,
    signedIn: async () => {
      const { account } = await queryClient.ensureQueryData(sessionQuery)
      // Before anything plays, this is a device of the account (V4-16).
      if (account !== null) await registerDevice(account.id)
      return account !== null
    },
    call: callForPlayer,
    channels: () => queryClient.fetchQuery(channelsQuery),
    content: (idAsset) => queryClient.fetchQuery(assetQuery(idAsset)),
    related: (idAsset) => queryClient.ensureQueryData(relatedQuery('asset', idAsset)),
    prepare: engine.prepare,
    page: () => ({ page_url: location.href, device_ua: navigator.userAgent }),
    defaultLanguages: () => ({ audio: settings().defaultAudio, sub: settings().defaultSubtitle }),
    chosenLanguages: () => {
      // What the profile chose last, on whichever device; what this device knows where the profile says nothing (decision 21).
      const { audioLanguage: audio, subtitleLanguage: sub } = preferencesOf(queryClient)
      const here = readChosenLanguages(localStorage, profileId())
      return { ...here, ...(audio !== undefined && { audio }), ...(sub !== undefined && { sub }) }
    },
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
      // The film goes on as it was chosen; the next device does not know of it.
      await reportFault(error)
    }
  }

  async function beat(heartbeat: Heartbeat): Promise<void> {
    try {
      await sendHeartbeat(heartbeat)
    } catch (error) {
      refused(error)
    }
    // Pages behind the player show how far one has come.
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
      if (target.kind === 'asset') return openAsset(target, service)
      if (target.kind === 'channel') return openChannel(target, service, takeAnticipated(target.id))
      return openTrailer(target, service, trailerPlayable(target.id, queryClient, trailerTitle))
    },
    programmes: (idChannel) => fetchProgrammes(idChannel, serviceNow() / 1000, { call }),
    reporter: createReporter(
      (heartbeat) => void beat(heartbeat),
      (reported, event) => {
        window.dispatchEvent(new CustomEvent(PLAYER_EVENT, { detail: { ...reported, ...event } }))
      },
    ),
    now: serviceNow,
    keepLanguages: (chosen) => {
      keepChosenLanguages(localStorage, profileId(), chosen)
      if (profileId() !== 0) void keepWithProfile(chosen)
    },
    settings,
    anticipate: (idChannel) => {
      if (anticipated.has(idChannel)) return
      const stream = askStream(idChannel, service)
      // Whoever zaps there hears why it failed; until then it concerns nobody.
      stream.catch(() => anticipated.delete(idChannel))
      anticipated.set(idChannel, { stream, at: serviceNow() })
    },
  }
}

/** Tells the service's log (V7-26). */
async function reportFault(error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error)
  try {
    await call(msg, { level: 'warn', classification: 'player', context: { message } })
  } catch (unreported) {
    // A service that does not even take reports is about to stop the player by itself, with a reason.
    if (!(unreported instanceof ApiError)) throw unreported
  }
}
