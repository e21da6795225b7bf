import { PLAYER } from '@ondine/contract/constants'
import type { Drm } from '@ondine/contract/playback'
import type { Stream } from './engine.ts'
import { EngineError } from './player-error.ts'

/** Key systems that can be played (V4-26); any other name is an unsupported provider. */
const KEY_SYSTEMS: ReadonlySet<string> = new Set(['org.w3.clearkey', 'com.widevine.alpha', 'com.apple.fps'])

const RETRY = {
  baseDelay: 300,
  backoffFactor: 2,
  fuzzFactor: 0.3,
  timeout: 15_000,
  stallTimeout: 5000,
  connectionTimeout: 8000,
}

/** Shaka's settings that are the same for everything that plays. */
export const BASE_CONFIGURATION = {
  abr: {
    defaultBandwidthEstimate: PLAYER.initialBandwidth,
    // The browser's own guess would take the place of the estimate that is given (decision 15).
    useNetworkInformation: false,
    // A picture larger than the screen costs decoding and shows nothing more.
    restrictToScreenSize: true,
  },
  manifest: {
    retryParameters: { ...RETRY, maxAttempts: 4 },
    // One window slides in one rhythm; asking more often than segments come finds nothing new.
    dash: { ignoreMinBufferTime: true },
  },
  streaming: {
    retryParameters: { ...RETRY, maxAttempts: 5 },
    // The first segment is enough to begin.
    rebufferingGoal: 0,
    bufferingGoal: 30,
    bufferBehind: 60,
    // The segment after the one that is being appended is already on its way.
    segmentPrefetchLimit: 2,
    ignoreTextStreamFailures: true,
    // A viewer who comes back to a window that has moved on goes to its beginning, not to the edge.
    returnToEndOfLiveWindowWhenOutside: false,
  },
  drm: { retryParameters: { ...RETRY, maxAttempts: 3 }, preferredKeySystems: ['org.w3.clearkey'] },
}

/**
 * Shaka's settings for one stream.
 *
 * @param origin scheme and host that a relative licence address belongs to
 * @throws EngineError of kind `unsupported-provider` for a key system that is not known
 */
export function streamConfiguration({ licence, startAt, languages }: Omit<Stream, 'url'>, origin: string) {
  return {
    abr: { enabled: true },
    drm: drmConfiguration(licence, origin),
    preferredAudio: languages.audio === '' ? [] : [{ language: languages.audio }],
    preferredText: languages.sub === PLAYER.defaultSubtitle ? [] : [{ language: languages.sub }],
    streaming: {
      // A live edge in the middle of a segment would have everything before it decoded first: up to 4 s of pictures that
      // nobody sees, which is most of the time that zapping takes.
      startAtSegmentBoundary: startAt === null,
    },
  }
}

/** Where Shaka gets the keys. */
function drmConfiguration(licence: Drm | null, origin: string) {
  if (licence === null) return { servers: {}, advanced: {} }
  const { keySystem, licenceUrl, certificateUrl, token } = licence
  if (!KEY_SYSTEMS.has(keySystem)) throw new EngineError('unsupported-provider', keySystem)
  const advanced = {
    ...(certificateUrl === undefined ? {} : { serverCertificateUri: new URL(certificateUrl, origin).href }),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  }
  return {
    servers: { [keySystem]: new URL(licenceUrl, origin).href },
    advanced: Object.keys(advanced).length === 0 ? {} : { [keySystem]: advanced },
  }
}
