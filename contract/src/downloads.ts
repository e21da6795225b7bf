import * as z from 'zod'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { hasFairPlay, hasHardwareSecurity, LANGUAGE_ERRORS, languageFields, robustness } from './playback.ts'
import { flag, id, integer, json, text } from './wire.ts'

/**
 * States of a download (A4.2-05). A download that is `COMPLETED` with 0 percent counts as failed (A4.2-06).
 * `RESTARTING`: the download begins again from its first file. `UNKNOWN`: another version of the application has stored
 * a state that this version does not have.
 */
export type DownloadState =
  | 'QUEUED'
  | 'STOPPED'
  | 'DOWNLOADING'
  | 'COMPLETED'
  | 'FAILED'
  | 'REMOVING'
  | 'RESTARTING'
  | 'UNKNOWN'

/** The licence server of a download (A4.9-05). */
const licenceSource = z.object({
  /** The issuer of the keys: the service itself, or a provider of licences. */
  provider: z.enum(['clearkey', 'castlabs', 'axinom', 'doverunner']),
  keySystem: z.enum(['org.w3.clearkey', 'com.widevine.alpha', 'com.apple.fps']),
  /** How the licence request is authorised: by the token in its body. */
  authMethod: z.enum(['token']),
  /** The request URI of the licence, relative to the service's origin. */
  licenceUrl: z.string(),
  token: z.string(),
  /** Same meaning as `robustness` in `drm` of a playback session. */
  robustness: robustness.optional(),
  /** URL of the FairPlay certificate. Set only for FairPlay. */
  certificateUrl: z.string().optional(),
})
export type LicenceSource = z.infer<typeof licenceSource>

/** The files of one rendition: `init.mp4`, and the segments `1.m4s` to `{segments}.m4s`. */
const downloadFolder = z.object({
  /** Address of the folder, with a slash at its end. */
  address: z.string(),
  segments: z.int(),
})
export type DownloadFolder = z.infer<typeof downloadFolder>

/** Errors by which the service denies a download to a viewer. */
const REFUSALS = [
  'notFound',
  'noViewingRights',
  'accountSuspended',
  'resourceNotActive',
  'noMediaFound',
  'invalidAccessCode',
  'downloadForbidden',
] as const

/** Largest value of `height` that a client may request: the height of a video, in lines of pixels. */
const MOST_LINES = 4320

/**
 * Prepares a download. Returns the manifest of the chosen renditions, their files, and the licence server (V7-25).
 */
export const downloadAsset = operation({
  method: 'POST',
  path: '/proxy/downloadAsset',
  as: 'profile',
  child: 'allowed',
  summary: 'The files of an asset for a download, and where to get its keys.',
  input: z.object({
    idAsset: id,
    /** `und` for the main audio. If the title does not have the language, the download contains the main audio. */
    idAudioLang: languageFields.idAudioLang,
    /** `non` for no subtitles. */
    idSubtitleLang: languageFields.idSubtitleLang,
    /** Whether `url` is absolute, for a program that does not know the service's origin. */
    asUrl: flag.optional(),
    /** Maximum height of the video, in lines of pixels. Omitted for the best video. */
    height: integer(1, MOST_LINES).optional(),
    hasHardwareSecurity,
    /**
     * Whether the device decrypts FairPlay. With a provider of licences, the licence is then FairPlay's. The manifest
     * is DASH in any case, because a page cannot store what a device plays natively.
     */
    hasFairPlay,
    parentalProof,
  }),
  output: z.object({
    /** Address of the DASH manifest. It is valid for twelve hours. */
    url: z.string(),
    /** The licence server; null for unencrypted media. */
    licence: licenceSource.nullable(),
    folders: z.array(downloadFolder),
    /** Expected size of the download, in bytes. */
    bytes: z.int(),
    /** The available values of `height`, largest first, each with the expected size in bytes. */
    qualities: z.array(z.object({ height: z.int(), bytes: z.int() })),
    /** The available languages. Subtitles are always optional. */
    availableLanguages: z.object({ audio: z.array(z.string()), subtitle: z.array(z.string()) }),
    /** Languages of the download. `subtitle` is `non` without subtitles. */
    languages: z.object({ audio: z.string(), subtitle: z.string() }),
  }),
  errors: [...LANGUAGE_ERRORS, ...REFUSALS],
})

/** Length of a P-256 public key as a point: one byte and two coordinates of 32 bytes (SEC 1, section 2.3.3). */
const POINT_BYTES = 65

/** A P-256 public key as an uncompressed point, in base64url. */
const publicKey = z
  .string()
  .length(Math.ceil((POINT_BYTES * 8) / 6))
  .regex(/^B[A-Za-z0-9_-]+$/, 'must be an uncompressed P-256 point in base64url')

/** Longest request for a licence, in characters of base64. It contains certificates of the device. */
const CHALLENGE_MAX = 65_536

/** A licence request of a content decryption module, in base64. */
const challenge = z
  .base64()
  .max(CHALLENGE_MAX)
  .refine((value) => value !== '', 'must be a licence request')

/**
 * Data encrypted so that only the owner of a device key can read it (`seal` and `unseal`). All fields are
 * base64url.
 */
const sealed = z.object({ publicKey: z.string(), iv: z.string(), data: z.string() })
export type Sealed = z.infer<typeof sealed>

/**
 * Content of a sealed licence. The whole licence is encrypted, so that nobody can edit its expiry on the device.
 */
export interface OfflineLicence {
  idAsset: number
  /**
   * The keys as a Clear Key licence (W3C Encrypted Media Extensions, section 9.1.4). Null with a licence provider:
   * the keys are then in the content decryption module of the device.
   */
  clearKey: { keys: { kty: 'oct'; kid: string; k: string }[]; type: 'temporary' } | null
  /** When the licence was issued and when it expires, in seconds since the Unix epoch. */
  issuedAt: number
  expiresAt: number
  /** Time for which the title can be played after its first play, in seconds. */
  playSeconds: number
  /** Whether the profile needs the parental code for the title. Only the service can check the code. */
  needsCode: boolean
}

/**
 * Issues the keys of a download, encrypted for the key pair of one device. With a licence provider, the keys are
 * in a persistent licence for the device's content decryption module, whose request is `challenge`. In both cases,
 * the sealed part contains the times of the licence.
 */
export const downloadLicence = operation({
  method: 'POST',
  path: '/proxy/downloadLicence',
  as: 'profile',
  child: 'allowed',
  summary: 'The keys of a download, encrypted for one device.',
  input: z.object({
    /** The token of `licence` of {@link downloadAsset}. */
    token: text(2000),
    deviceKey: publicKey,
    /** Required with a licence provider. */
    challenge: challenge.optional(),
    /** The key system of the challenge. Omitted for Widevine. */
    keySystem: z.enum(['com.widevine.alpha', 'com.apple.fps']).optional(),
    parentalProof,
  }),
  output: z.object({
    sealed,
    /** The persistent licence of a licence provider, in base64; null without a provider. */
    licence: z.string().nullable(),
    expiresAt: z.int(),
    playSeconds: z.int(),
  }),
  errors: [
    ...REFUSALS,
    'licenceRefused',
    'temporarilyUnavailable',
    'tooManyDownloads',
    'tooManyDownloadDevices',
  ],
})

/**
 * Releases the licence of a download that was removed from a device. The limits then no longer count the download.
 * A repeated call succeeds.
 */
export const releaseDownload = operation({
  method: 'POST',
  path: '/proxy/releaseDownload',
  as: 'profile',
  child: 'allowed',
  summary: 'Tells that a device has removed a download.',
  input: z.object({ idAsset: id, deviceKey: publicKey }),
  output: z.null(),
  errors: [],
})

/** Maximum number of downloads in one call of {@link exchangePositions}. */
export const MOST_POSITIONS = 200

/** Longest position, in seconds: a week. */
const LONGEST_SECONDS = 7 * 86_400

/**
 * Exchanges the positions in the downloads of a device with the service, because the service cannot see a play
 * without a connection. Of the position of the device and the position of the service, the newer one counts for both.
 */
export const exchangePositions = operation({
  method: 'POST',
  path: '/proxy/exchangePositions',
  as: 'profile',
  child: 'allowed',
  summary: 'Exchanges the positions in the downloads of a device.',
  input: z.object({
    /** The profile of the downloads. The call is refused if another profile is active. */
    idProfile: id,
    positions: json(
      z
        .array(
          z.object({
            idAsset: z.int().min(1).max(2_147_483_647),
            /** The last play on the device that the service does not know of. Omitted to ask for the position only. */
            played: z
              .object({
                /** Where the viewer stopped, in seconds. */
                seconds: z.number().min(0).max(LONGEST_SECONDS),
                /** When, in seconds since the Unix epoch. A moment in the future counts as the moment of the call. */
                at: z.number().min(0),
              })
              .optional(),
          }),
        )
        .max(MOST_POSITIONS),
    ),
  }),
  output: z.array(z.object({ idAsset: z.int(), seconds: z.number() })),
  errors: ['forbidden'],
})

/**
 * Issues tokens of the viewer to the local player on the viewer's computer, valid for some minutes (A4.9-04). The
 * page needs this call, because scripts cannot read the tokens in the cookies. The call checks the right to the
 * title, and the parental code if the profile needs it. The player's own calls contain the same proof of the code.
 */
export const downloadHelperTokens = operation({
  method: 'POST',
  path: '/proxy/downloadHelperTokens',
  as: 'profile',
  child: 'allowed',
  summary: 'Tokens for the local player, which downloads for the viewer.',
  input: z.object({ idAsset: id, parentalProof }),
  output: z.object({
    /** Value of the header `x-auth-token`. */
    token: z.string(),
    /** Value of the header `x-profile-token`. */
    profileToken: z.string(),
    /** Seconds for which both tokens are valid. */
    expiresIn: z.int(),
  }),
  errors: REFUSALS,
})
