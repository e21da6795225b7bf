import { PLAYER } from '@ondine/contract/constants'
import type { KeptLicence } from '../../features/content/downloads/download.ts'
import { bytesOf, initDataTypeOf } from '../../features/content/downloads/kept-licence.ts'
import type { StreamLicence } from '../content/playable.ts'
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
    // Decoding a video larger than the screen costs power without a visible benefit.
    restrictToScreenSize: true,
  },
  manifest: {
    retryParameters: { ...RETRY, maxAttempts: 4 },
    // Ignores the manifest's minimum buffer time, which would delay the start of playback.
    dash: { ignoreMinBufferTime: true },
  },
  streaming: {
    retryParameters: { ...RETRY, maxAttempts: 5 },
    // Playback begins as soon as the first segment has loaded.
    rebufferingGoal: 0,
    bufferingGoal: 30,
    bufferBehind: 60,
    // Prefetches the next segment while a segment is being appended.
    segmentPrefetchLimit: 2,
    ignoreTextStreamFailures: true,
    // After a long pause, the position may be before the window. Playback then continues at the beginning of the
    // window, not at the live edge.
    returnToEndOfLiveWindowWhenOutside: false,
  },
  // A live stream changes its key while its buffer is full. Six attempts take about 10 s, as long as a restart of the service.
  drm: { retryParameters: { ...RETRY, maxAttempts: 6 }, preferredKeySystems: ['org.w3.clearkey'] },
}

/** Changes of the playback rate near the live edge, as fractions. They are too small to be audible. */
const MOST_SLOWER = 0.03
const MOST_FASTER = 0.05
/**
 * Target distance of live playback from the end of the range, in seconds. Also the accepted deviation from this
 * distance.
 */
const LIVE_LATENCY = 0.5

/**
 * Returns Shaka's settings for the distance from the live edge. A slow start or a stall increases this distance.
 * Playback speeds up to catch up only if the viewer `follows` the broadcast, not after a seek back. Each stall
 * increases the target distance, up to 4 s, so that an unsteady source does not cause stalls repeatedly.
 */
export function liveSync(follows: boolean) {
  return {
    targetLatency: LIVE_LATENCY,
    targetLatencyTolerance: follows ? LIVE_LATENCY : Number.POSITIVE_INFINITY,
    minPlaybackRate: 1 - MOST_SLOWER,
    maxPlaybackRate: 1 + MOST_FASTER,
    dynamicTargetLatency: { enabled: follows, minLatency: 0, maxLatency: 4 },
  }
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
      // If playback started in the middle of a segment, the browser would first decode the segment up to that
      // position. That is up to 4 s of video that is never shown, and would be most of the time of a channel
      // switch.
      startAtSegmentBoundary: startAt === null,
      // Has no effect on films. During playback, the engine changes only the settings that the function `liveSync`
      // returns.
      liveSync: { enabled: startAt === null, ...liveSync(startAt === null) },
    },
  }
}

/** Returns Shaka's settings for the decryption keys. */
function drmConfiguration(licence: StreamLicence | null, origin: string) {
  if (licence === null) return { ...keptConfiguration(undefined), servers: {}, advanced: {} }
  const { keySystem, licenceUrl, certificateUrl, token, robustness, kept } = licence
  if (!KEY_SYSTEMS.has(keySystem)) throw new EngineError('unsupported-provider', keySystem)
  const advanced = {
    ...(certificateUrl === undefined ? {} : { serverCertificateUri: new URL(certificateUrl, origin).href }),
    // The licence requires this robustness. A decryption module without it could not use the keys.
    ...(robustness === undefined ? {} : { videoRobustness: [robustness] }),
    ...(kept === undefined ? {} : { sessionType: 'persistent-license', persistentStateRequired: true }),
    ...(kept?.certificate === undefined ? {} : { serverCertificate: bytesOf(kept.certificate) }),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  }
  return {
    ...keptConfiguration(kept),
    servers: { [keySystem]: new URL(licenceUrl, origin).href },
    advanced: Object.keys(advanced).length === 0 ? {} : { [keySystem]: advanced },
  }
}

/**
 * Returns Shaka's settings for a licence that the decryption module has stored. Shaka loads the licence from the
 * module, and does not remove it.
 */
function keptConfiguration(kept: KeptLicence | undefined) {
  const metadata = kept && {
    sessionId: kept.sessionId,
    initData: bytesOf(kept.initData),
    initDataType: initDataTypeOf(kept),
  }
  return {
    // The licence has the one key of the title. Other initialisation data, such as that of an `encrypted` event, would
    // make Shaka request another licence. `undefined` is Shaka's default.
    initDataTransform: metadata && (() => metadata.initData),
    persistentSessionOnlinePlayback: metadata !== undefined,
    persistentSessionsMetadata: metadata === undefined ? [] : [metadata],
  }
}
