import * as z from 'zod'
import { media } from './entities.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { flag, id, json, seconds, text } from './wire.ts'

/** Security level that Widevine licences require for video; undefined if software decryption is sufficient. */
export const robustness = z.enum(['HW_SECURE_ALL'])

/** The licence server of a stream. `licenceUrl` is relative to the service's origin. */
export const drm = z.object({
  keySystem: z.enum(['org.w3.clearkey', 'com.widevine.alpha', 'com.apple.fps']),
  licenceUrl: z.string(),
  certificateUrl: z.string().optional(),
  token: z.string().optional(),
  robustness: robustness.optional(),
})
export type Drm = z.infer<typeof drm>

/**
 * Whether the device decrypts and decodes Widevine in hardware. The licences of the session then require hardware
 * security. Without hardware security, the manifest has no video above `protection.hardwareAboveHeight`.
 */
export const hasHardwareSecurity = flag.optional()

/**
 * Whether the device decrypts FairPlay. With a provider of licences, a protected stream is then HLS, whatever
 * `format` says (spec 18). Otherwise it makes no difference.
 */
export const hasFairPlay = flag.optional()

/** The requested kind of manifest: `url` ends in `.mpd` or `.m3u8`. */
export const format = z.enum(['dash', 'hls']).default('dash')

/** The requested languages. Without one of them, the answer is -1507 or -1508. */
export const languageFields = { idAudioLang: text(3).optional(), idSubtitleLang: text(3).optional() }

/** Errors of {@link languageFields}. */
export const LANGUAGE_ERRORS = ['idAudioLangRequired', 'idSubtitleLangRequired'] as const

/** Checks whether this profile may play an asset now, and with which media (V7-18). */
export const testAsset = operation({
  method: 'POST',
  path: '/proxy/testAsset',
  as: 'profile',
  child: 'allowed',
  summary: 'Whether the active profile may play an asset now.',
  input: z.object({ idAsset: id, parentalProof }),
  output: z.object({ playable: z.literal(true), medias: z.array(media) }),
  errors: ['notFound', 'noViewingRights', 'accountSuspended', 'resourceNotActive', 'noMediaFound'],
})

/** A marked section of an asset: intro, credits or a chapter (V3-29). */
const tag = z.object({
  type: z.enum(['intro', 'credit', 'chapter', 'other']),
  /** Start and end, in seconds from the start of the asset. A chapter ends where the next chapter starts. */
  timestamp: z.number(),
  end: z.number(),
  label: z.string(),
})
export type Tag = z.infer<typeof tag>

/** Intro, credits and chapters, sorted by time (V3-29, V7-19). */
export const listAssetTags = operation({
  method: 'GET',
  path: '/proxy/listAssetTags',
  as: 'visitor',
  summary: 'The intro, the credits and the chapters of an asset.',
  input: z.object({ idAsset: id }),
  output: z.object({ tags: z.array(tag), chapters: z.array(tag) }),
  errors: ['notFound'],
})

/**
 * Token of a playback session, from the answer that started the session. The token of a film also contains its
 * breaks.
 */
export const sessionToken = text(4000)

/** An advertisement in a break. Times are in seconds. */
const ad = z.object({
  duration: z.number(),
  /** Seconds from the start of the advertisement after which the viewer may skip it; null for never (V4-32). */
  skipAfter: z.number().nullable(),
  /** The advertiser's page; null for none. */
  clickUrl: z.string().nullable(),
  /** Identifies the advertisement in `reportAd`. */
  report: z.string(),
  /** Seconds from the start of the advertisement at which the event `progress` is reported; omitted for none. */
  progressAt: z.array(z.number()).optional(),
})
export type Ad = z.infer<typeof ad>

/**
 * A break with advertisements. Positions of an asset, such as `seek` and chapters, are positions in the film without
 * its breaks. The manifest includes the breaks.
 */
const adBreak = z.object({
  /** Position in the film, in seconds. */
  position: z.number(),
  /** Start of the break in the manifest, in seconds. */
  startsAt: z.number(),
  ads: z.array(ad),
})
export type AdBreak = z.infer<typeof adBreak>

/**
 * An advertisement in a live channel. Manifests announce it. In DASH: an event of the Period with `schemeIdUri`
 * {@link LIVE_AD_SCHEME}, whose message is this object in JSON and base64. In HLS: an EXT-X-DATERANGE with
 * {@link LIVE_AD_SCHEME} as its class and the same base64 text as `X-DATA`.
 */
const liveAd = ad.extend({
  /** Position of the advertisement in its break, from 1, and the number of advertisements in the break. */
  number: z.int(),
  count: z.int(),
})
export type LiveAd = z.infer<typeof liveAd>

/** Identifies announcements of {@link liveAd} in manifests. */
export const LIVE_AD_SCHEME = 'urn:ondine:ad:2026'

/** Data about a client, for the macros of ad servers (V7-20). */
const adsMacro = json(
  z.object({
    page_url: z.string().max(2000),
    device_ua: z.string().max(500),
    ifa: z.string().max(100).optional(),
    ifa_type: z.string().max(50).optional(),
    limit_ad: z.union([z.boolean(), z.number()]).optional(),
  }),
).optional()

/**
 * The broadcast of a live event by a channel. The manifest has only the event: it grows while the event is on, and
 * ends with it. Times are in seconds since the Unix epoch.
 */
const broadcast = z.object({
  /** Start of the manifest. Positions are relative to it. */
  startsAt: z.number(),
  endsAt: z.number(),
  /** Whether the event is on, so that the manifest still grows. */
  isOn: z.boolean(),
})

/** Starts a playback session: returns the manifest, the start position and the licence server (V7-20). */
export const readAsset = operation({
  method: 'POST',
  path: '/proxy/readAsset',
  as: 'profile',
  child: 'allowed',
  summary: 'Starts a playback session of an asset.',
  input: z.object({
    idAsset: id,
    ...languageFields,
    format,
    hasHardwareSecurity,
    hasFairPlay,
    parentalProof,
    adsMacro,
  }),
  output: z.object({
    url: z.string(),
    /** The profile's playback position in the asset, in seconds. */
    seek: z.number(),
    drm: drm.nullable(),
    /** Identifies the session in heartbeats. */
    session: z.string(),
    /** Breaks with advertisements, in order; omitted if there are none. */
    breaks: z.array(adBreak).optional(),
    /** Omitted for an asset that is not a broadcast event. */
    broadcast: broadcast.optional(),
  }),
  errors: [
    ...LANGUAGE_ERRORS,
    'notFound',
    'noViewingRights',
    'accountSuspended',
    'resourceNotActive',
    'noMediaFound',
    'channelSilent',
    'invalidAccessCode',
    'tooManySessions',
    'noDeviceLinked',
  ],
})

/** Returns the licence server of an asset. Does not start a new session (V7-21). */
export const getVodLicense = operation({
  method: 'POST',
  path: '/proxy/getVodLicense',
  as: 'profile',
  child: 'allowed',
  summary: 'Where to get the keys of an asset.',
  input: z.object({ idAsset: id, ...languageFields, parentalProof }),
  output: drm.nullable(),
  errors: [
    ...LANGUAGE_ERRORS,
    'notFound',
    'noViewingRights',
    'accountSuspended',
    'licenceRefused',
    'tooManySessions',
    'noDeviceLinked',
  ],
})

/** Returns the manifest of a trailer. Trailers are not encrypted, and everyone may watch them (V4-22, V7-24). */
export const readTrailer = operation({
  method: 'POST',
  path: '/proxy/readTrailer',
  as: 'visitor',
  summary: 'The manifest of a trailer.',
  input: z.object({ idMedia: id, format }),
  output: z.object({ url: z.string(), seek: z.literal(0), drm: z.null() }),
  errors: ['noMediaFound'],
})

/** Starts a playback session of a channel (V7-23). */
export const channelStream = operation({
  method: 'POST',
  path: '/proxy/channelStream',
  as: 'profile',
  child: 'allowed',
  summary: 'Starts a playback session of a channel.',
  input: z.object({
    idChannel: id,
    format,
    /**
     * Start of playback, for a start that is not live, in seconds since the Unix epoch, such as a programme's
     * `startutc`. It must be within the time-shift window.
     */
    start: seconds.optional(),
    /**
     * Whether the viewer has not chosen the channel yet. Such a session does not count for the limit of concurrent
     * playback until it asks for keys or reports its `start`.
     */
    isAhead: flag.optional(),
    hasHardwareSecurity,
    hasFairPlay,
    parentalProof,
    /** If omitted, the service does not insert advertisements into the channel. */
    adsMacro,
  }),
  output: z.object({
    /**
     * Address of the manifest. If a start was requested, the fragment (`#t=posix:…`) tells DASH players where
     * to start, and EXT-X-START in the playlists tells HLS players.
     */
    url: z.string(),
    drm: drm.nullable(),
    session: z.string(),
    /** The requested start, for players that ignore the start in manifests; null for live. */
    startsAt: z.number().nullable(),
  }),
  errors: [
    'channelNotFound',
    'channelNotAllowed',
    'accountSuspended',
    'noMediaFound',
    'startOverForbidden',
    'channelSilent',
    'invalidAccessCode',
    'tooManySessions',
    'noDeviceLinked',
  ],
})

const channelLicence = {
  as: 'profile',
  child: 'allowed',
  input: z.object({ idChannel: id, parentalProof }),
  output: drm.nullable(),
  errors: [
    'channelNotFound',
    'channelNotAllowed',
    'accountSuspended',
    'licenceRefused',
    'tooManySessions',
    'noDeviceLinked',
  ],
} as const

/** Returns the licence server of a channel for platforms with FairPlay (V4-25, V7-22). */
export const askLicenseFP = operation({
  ...channelLicence,
  method: 'POST',
  path: '/proxy/askLicenseFP',
  summary: 'Where to get the keys of a channel, for FairPlay.',
})

/**
 * Returns the licence server of a channel for platforms without FairPlay (V4-25, V7-22). Without a configured
 * licence provider, the service itself issues Clear Key licences (spec 18).
 */
export const askLicenseWV = operation({
  ...channelLicence,
  method: 'POST',
  path: '/proxy/askLicenseWV',
  summary: 'Where to get the keys of a channel, for Widevine or Clear Key.',
})

/**
 * Reports that a session is still playing and, for an asset, its position. The position is stored before the
 * answer. A player sends a heartbeat every {@link HEARTBEAT_SECONDS} seconds, and at pause, end and close.
 */
export const heartbeat = operation({
  method: 'POST',
  path: '/proxy/heartbeat',
  as: 'visitor',
  summary: 'Keeps a playback session alive and stores its position.',
  input: z.object({
    session: sessionToken,
    /**
     * Seconds into the asset or the recording; omitted for a channel. For a running recording, seconds since the
     * Unix epoch are accepted too, because its DASH manifest uses them.
     */
    position: seconds.optional(),
    event: z.enum(['start', 'progress', 'pause', 'resume', 'end', 'close']),
    /**
     * Whether the service has already accepted this position with the session's last heartbeat that had a position, as
     * at the close of a paused player. Such a position does not replace a position from another device.
     */
    isRepeated: flag.optional(),
  }),
  output: z.object({ nextInSeconds: z.int() }),
  errors: ['tokenInvalid', 'accountSuspended', 'tooManySessions', 'noDeviceLinked'],
})

/** Events of an advertisement, with the names that VAST gives them. `start` also counts as the impression. */
const AD_EVENTS = [
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'progress',
  'complete',
  'skip',
  'click',
] as const

/**
 * Reports an event of an advertisement. The service notifies the advertiser once, even if a client reports the
 * event several times.
 */
export const reportAd = operation({
  method: 'POST',
  path: '/proxy/reportAd',
  as: 'visitor',
  summary: 'Reports an event of an advertisement.',
  input: z.object({
    report: text(100),
    event: z.enum(AD_EVENTS),
    /** Which of the advertisement's `progressAt` was reached; for the event `progress` only. */
    at: seconds.optional(),
  }),
  output: z.null(),
  otherwise: null,
})

/** Seconds between two heartbeats of a playing session. */
export const HEARTBEAT_SECONDS = 10
