import { PLAYER } from '@ondine/contract/constants'
import type { Drm } from '@ondine/contract/playback'
import type { Stream } from './engine.ts'
import { EngineError } from './player-error.ts'

/** Supported key systems (V4-26); any other key system is reported as an unsupported provider. */
const KEY_SYSTEMS: ReadonlySet<string> = new Set(['org.w3.clearkey', 'com.widevine.alpha', 'com.apple.fps'])

const RETRY = {
  baseDelay: 300,
  backoffFactor: 2,
  fuzzFactor: 0.3,
  timeout: 15_000,
  stallTimeout: 5000,
  connectionTimeout: 8000,
}

/** Shaka's settings for all streams. */
export const BASE_CONFIGURATION = {
  abr: {
    defaultBandwidthEstimate: PLAYER.initialBandwidth,
    // The browser's estimate of the bandwidth would override the configured estimate (spec 15).
    useNetworkInformation: false,
    // A video larger than the screen costs decoding without a visible benefit.
    restrictToScreenSize: true,
  },
  manifest: {
    retryParameters: { ...RETRY, maxAttempts: 4 },
    // Ignores the manifest's minimum buffer time, which would delay the start of playback.
    dash: { ignoreMinBufferTime: true },
  },
  streaming: {
    retryParameters: { ...RETRY, maxAttempts: 5 },
    // Playback begins with the first segment.
    rebufferingGoal: 0,
    bufferingGoal: 30,
    bufferBehind: 60,
    // Prefetches the next segment while a segment is being appended.
    segmentPrefetchLimit: 2,
    ignoreTextStreamFailures: true,
    // A viewer who returns after the window has moved on continues at the beginning of the window, not at the
    // live edge.
    returnToEndOfLiveWindowWhenOutside: false,
  },
  drm: { retryParameters: { ...RETRY, maxAttempts: 3 }, preferredKeySystems: ['org.w3.clearkey'] },
}

/**
 * Returns Shaka's settings for a stream.
 *
 * @param origin scheme and host for a relative licence address
 * @throws EngineError of kind `unsupported-provider` for an unknown key system
 */
export function streamConfiguration({ licence, startAt, languages }: Omit<Stream, 'url'>, origin: string) {
  return {
    abr: { enabled: true },
    drm: drmConfiguration(licence, origin),
    preferredAudio: languages.audio === '' ? [] : [{ language: languages.audio }],
    preferredText: languages.sub === PLAYER.defaultSubtitle ? [] : [{ language: languages.sub }],
    streaming: {
      // If playback started in the middle of a segment, the browser would first decode the segment up to that position.
      // That is up to 4 s of video that nobody sees, and most of the time of a channel switch.
      startAtSegmentBoundary: startAt === null,
    },
  }
}

/** Returns Shaka's settings for the decryption keys. */
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
