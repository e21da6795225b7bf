import * as z from 'zod'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { sessionToken } from './playback.ts'
import { id, integer, json } from './wire.ts'

/**
 * A position in content, in seconds from its beginning. On a channel, in seconds since the Unix epoch. Part of a JSON
 * value, so it is sent as a number.
 */
const position = z.number().min(0).max(1e11)

/** Language code of a track in the player; `non` for no subtitles (V4-57), empty for the main audio. */
const languageName = z.string().regex(/^[A-Za-z0-9-]{0,35}$/)

/** Content that a screen can play. */
const castContent = z.object({
  kind: z.enum(['asset', 'channel', 'recording']),
  id: z.int().min(1).max(2_147_483_647),
})
export type CastContent = z.infer<typeof castContent>

/** Content that a phone casts to a screen (V4-55). The screen requests the stream URL itself. */
const castMedia = z.object({
  content: castContent,
  /** Where playback begins; null for the live edge of a channel, or where the profile stopped watching (V4-53). */
  startAt: position.nullable(),
  idAudioLang: languageName.default('eng'),
  idSubtitleLang: languageName.default('non'),
  /** Whether the subtitles are those for the deaf, if the content has both kinds. Omitted without a choice. */
  subtitleCaptions: z.boolean().optional(),
})
export type CastMedia = z.infer<typeof castMedia>

/**
 * A command for a screen during playback. Each command sets a state, such as paused, so that a repeated command
 * changes nothing.
 */
const castCommand = z.discriminatedUnion('type', [
  z.object({ type: z.literal('play') }),
  z.object({ type: z.literal('pause') }),
  z.object({ type: z.literal('seek'), position }),
  z.object({ type: z.literal('startOver') }),
  z.object({ type: z.literal('toLive') }),
  z.object({ type: z.literal('next') }),
  /** Ends the countdown to the next content. At its end, the screen then plays nothing. */
  z.object({ type: z.literal('dismissNext') }),
  /** Skips the advertisement at this position in its break. */
  z.object({ type: z.literal('skipAd'), number: z.int().min(1).max(1000) }),
  z.object({ type: z.literal('audio'), language: languageName }),
  z.object({ type: z.literal('subtitles'), language: languageName }),
  z.object({ type: z.literal('volume'), percent: z.number().min(0).max(100) }),
  z.object({ type: z.literal('stop') }),
])
export type CastCommand = z.infer<typeof castCommand>

/** Longest title and address in the state of a screen, in characters. */
const TEXT_MAX = 500

/** State of the playback on a screen (V4-51). */
const screenState = z.object({
  content: castContent,
  /** Kind of the content (V4-55). */
  streamType: z.enum(['LIVE', 'VOD_SERIES', 'VOD_MOVIE']),
  title: z.string().max(TEXT_MAX),
  subtitle: z.string().max(TEXT_MAX),
  /** Address of the artwork; empty if there is none. */
  image: z.string().max(TEXT_MAX),
  playback: z.enum(['loading', 'playing', 'paused', 'ended', 'failed']),
  /** Whether the content has failed because it needs the parental code, which nobody can enter on the screen. */
  isBlocked: z.boolean().optional(),
  /** Omitted until the screen knows where the content begins. */
  position: position.optional(),
  /** Duration of the content, in seconds; 0 while unknown. */
  duration: position,
  /** Whether the phone can pause and seek in the content. */
  canMove: z.boolean(),
  canStartOver: z.boolean(),
  isLive: z.boolean(),
  /**
   * The programme at the position of a channel, in seconds since the Unix epoch, and the title of the next programme.
   * The title is empty without a next programme. Omitted for other content, and without a guide.
   */
  programme: z.object({ start: position, end: position, nextTitle: z.string().max(TEXT_MAX) }).optional(),
  /** Whether the phone can go back to the live edge, because the screen is behind it. */
  isBehindLive: z.boolean().optional(),
  /** The current advertisement: its number in its break, and whether the viewer can skip it now. */
  ad: z
    .object({ number: z.int().min(1).max(1000), count: z.int().min(1).max(1000), canSkip: z.boolean() })
    .optional(),
  /** Title of the next content; empty if there is none. */
  nextTitle: z.string().max(TEXT_MAX),
  /** Whether the screen counts down to the next content, which the phone can dismiss (V4-38). */
  isCountingDown: z.boolean().optional(),
  audio: z.array(languageName).max(50),
  subtitles: z.array(languageName).max(50),
  chosenAudio: languageName,
  chosenSubtitles: languageName,
  volumePercent: z.number().min(0).max(100),
  /** When the screen was in this state, in milliseconds since the Unix epoch, by the service's clock. */
  at: z.number().min(0).max(1e15),
})
export type ScreenState = z.infer<typeof screenState>

/** A screen of the account on which content can be played. */
const screen = z.object({
  casDeviceId: z.int(),
  name: z.string(),
  /** Whether the screen is connected to the service now. */
  isConnected: z.boolean(),
  /** Whether the screen is the calling device. */
  current: z.boolean(),
  /**
   * The content that the screen plays; null if nothing plays. A child's profile also gets null for content that another
   * profile has cast. A profile with parental control gets such content without its image.
   */
  state: screenState.nullable(),
})
export type Screen = z.infer<typeof screen>

/** A message of the service to a device that has connected with {@link connectScreens}. */
export type CastMessage =
  /**
   * The connection is open. Sent every {@link ALIVE_SECONDS}, because browsers do not detect a lost connection.
   */
  | { type: 'alive' }
  /** The screens of the account. Sent after each change. */
  | { type: 'screens'; screens: Screen[] }
  /** The service has registered the screen. Commands up to `number` have already been carried out. */
  | { type: 'opened'; number: number; casDeviceId: number }
  /** A command for the screen. Each command has a higher number than the previous one. */
  | { type: 'command'; number: number; command: CastCommand }
  /**
   * Content for the screen to play, with the token of the profile that has cast it (V4-56). `parentalProof` is set if
   * the viewer has given the parental code. It is valid for some hours, and only for playback by this profile.
   */
  | { type: 'load'; number: number; media: CastMedia; profileToken: string; parentalProof?: string }

/**
 * Returns the address of a WebSocket, relative to the service, for {@link CastMessage}s. A phone receives the
 * screens of the account. A screen also receives its commands, and other devices can cast to a connected screen.
 * The address is valid for a short time.
 */
export const connectScreens = operation({
  method: 'POST',
  path: '/proxy/connectScreens',
  as: 'profile',
  child: 'allowed',
  summary: 'The address by which a device follows the screens of its account.',
  input: z.object({
    as: z.enum(['phone', 'screen']),
    /** Number of the last command that the screen has carried out. The screen receives all later commands. */
    after: integer(0, 2_147_483_647).optional(),
  }),
  output: z.object({ address: z.string() }),
  errors: ['noDeviceLinked'],
})

/** The screens of the account. */
export const listScreens = operation({
  method: 'POST',
  path: '/proxy/listScreens',
  as: 'profile',
  child: 'allowed',
  summary: 'The screens of the account.',
  input: z.object({}),
  output: z.array(screen),
})

/**
 * Plays content on a screen of the account, with the rights of the calling profile. Ends the session of the
 * calling device, so that the cast counts as one stream (A8.1-03).
 */
export const castTo = operation({
  method: 'POST',
  path: '/proxy/castTo',
  as: 'profile',
  child: 'allowed',
  summary: 'Plays content on a screen of the account.',
  input: z.object({
    casDeviceId: id,
    media: json(castMedia),
    /** Playback session of the calling device, if the device is playing. */
    session: sessionToken.optional(),
    parentalProof,
  }),
  output: z.null(),
  errors: [
    'notFound',
    'screenNotConnected',
    'noViewingRights',
    'accountSuspended',
    'resourceNotActive',
    'noMediaFound',
    'invalidAccessCode',
    'channelNotFound',
    'channelNotAllowed',
    'accountNotActivated',
    'startOverForbidden',
  ],
})

/** Controls a screen of the account. A child's profile controls only content that it has cast itself. */
export const controlScreen = operation({
  method: 'POST',
  path: '/proxy/controlScreen',
  as: 'profile',
  child: 'allowed',
  summary: 'Controls a screen of the account.',
  input: z.object({ casDeviceId: id, command: json(castCommand) }),
  output: z.null(),
  errors: ['notFound', 'screenNotConnected', 'slowDown'],
})

/** Reports what the calling screen plays. */
export const reportScreen = operation({
  method: 'POST',
  path: '/proxy/reportScreen',
  as: 'profile',
  child: 'allowed',
  summary: 'Reports what the calling screen plays.',
  input: z.object({
    /** Number of the last command that the screen has carried out; 0 for none. */
    number: integer(0, 2_147_483_647),
    /** The content that the screen plays; omitted if nothing plays. */
    state: json(screenState).optional(),
  }),
  output: z.null(),
  errors: ['noDeviceLinked', 'screenNotConnected'],
})

/** Interval of a screen's reports while its state does not change, in seconds. */
export const REPORT_SECONDS = 10

/** Interval of the messages `alive` on a connection, in seconds. */
export const ALIVE_SECONDS = 15
