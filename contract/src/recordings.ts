import * as z from 'zod'
import { image } from './entities.ts'
import { operation } from './operation.ts'
import { parentalProof } from './parental-proof.ts'
import { drm, format, hasFairPlay, hasHardwareSecurity } from './playback.ts'
import { RECORDING_STATES } from './recording-states.ts'
import { flag, id, integer } from './wire.ts'

/** A recording of the active profile (A3-32). Times are seconds since the Unix epoch. */
export const recording = z.object({
  id: z.int(),
  /** Id of the programme in the guide; null if the guide no longer contains the programme. */
  idEvent: z.int().nullable(),
  /** The recorded title of the library; null if the programme is not from the library. */
  idAsset: z.int().nullable(),
  idChannel: z.int(),
  channel: z.string(),
  title: z.string(),
  subtitle: z.string(),
  synopsis: z.string(),
  genre: z.string(),
  season: z.int().nullable(),
  episode: z.int().nullable(),
  /** Number of the last episode, if the title contains several episodes. */
  lastEpisode: z.int().optional(),
  image: image.nullable(),
  rating: z.int(),
  isBlurred: z.boolean(),
  isNeedParentalCode: z.boolean(),
  /**
   * Times of the programme according to the latest guide. The recording has a margin before and after the
   * programme (spec 52).
   */
  startutc: z.int(),
  endutc: z.int(),
  /** Length of the recorded programme, in seconds: less than the programme if the recording was stopped. */
  duration: z.int(),
  state: z.enum(RECORDING_STATES),
  /**
   * `dropped`: the guide no longer contains the programme. `incomplete`: `missing` seconds of the recording are
   * missing.
   */
  note: z.enum(['dropped', 'incomplete']).nullable(),
  missing: z.int(),
  /**
   * When the service deletes a finished recording; null for never. A failed recording always has a limited time.
   */
  expiresAt: z.int().nullable(),
  /** Where the profile stopped watching, in seconds from the beginning of the playback. */
  position: z.number(),
  /** When the profile last watched the recording; null for never. */
  watchedAt: z.int().nullable(),
  /**
   * Whether the recording is in the profile's Continue watching: it was begun, is not nearly finished
   * (`CONTINUE_WATCHING`), can be played, and was not removed from there.
   */
  isBegun: z.boolean(),
  /** Whether the recording is among the profile's favourites. */
  isFavorite: z.boolean(),
  /**
   * The next showing of the programme that the profile may record, on any channel, if the recording failed or is
   * withheld, or its programme was dropped. Null if the profile already records a next showing.
   */
  next: z.object({ idEvent: z.int(), idChannel: z.int(), channel: z.string(), startutc: z.int() }).nullable(),
})
export type Recording = z.infer<typeof recording>

/** The episodes that a series recording records: all, or only those that the guide does not mark as repeats. */
export const RECORDED_EPISODES = ['new', 'all'] as const
export type RecordedEpisodes = (typeof RECORDED_EPISODES)[number]

/** A series recording of the active profile. */
const seriesRecording = z.object({
  id: z.int(),
  title: z.string(),
  episodes: z.enum(RECORDED_EPISODES),
  /** The only channel on which the series is recorded; null for any channel. */
  idChannel: z.int().nullable(),
  channel: z.string().nullable(),
  /**
   * Maximum number of recordings of the series; null for no limit. When a new recording is complete, the oldest
   * one is deleted.
   */
  keepLast: z.int().nullable(),
  /** Number of complete recordings by this rule. If a new `keepLast` is smaller, the oldest ones are deleted. */
  recorded: z.int(),
  /**
   * Number of complete recordings by all rules of the profile for this series. A rule for any channel takes over the
   * recordings of the others.
   */
  recordedOnAny: z.int(),
  /** Whether an episode was skipped because the account has no recording time left. */
  isFull: z.boolean(),
})
export type SeriesRecording = z.infer<typeof seriesRecording>

const refusals = [
  'channelNotFound',
  'channelNotAllowed',
  'accountSuspended',
  'accountNotActivated',
  'notFound',
  'noMediaFound',
  'recordingForbidden',
  'quotaContextNotFound',
  'recordingQuotaReached',
] as const

/**
 * Records a programme for the active profile (A7.3-09). The programme may be in the future, in progress (it is
 * then recorded from its beginning), or over. If too much of its media is missing already, the error is
 * noMediaFound. Repeated calls succeed. A repeated call for a failed recording tries again (spec 38).
 *
 * `replaces` is the recording for which the viewer records another showing. If it has failed or is only planned, it is
 * deleted, and the new recording takes its place in its series. Otherwise, it stays.
 */
export const createRecording = operation({
  name: 'createRecording',
  method: 'POST',
  path: '/npvr/0',
  as: 'profile',
  child: 'allowed',
  summary: 'Records a programme for the active profile.',
  input: z.object({ idEvent: id, idChannel: id, replaces: id.optional() }),
  output: recording,
  errors: refusals,
})

/** The recordings of the active profile, the latest programme first (A7.3-10). */
export const listRecordings = operation({
  name: 'listRecordings',
  method: 'GET',
  path: '/npvr/0',
  as: 'profile',
  child: 'allowed',
  summary: 'The recordings of the active profile.',
  input: z.object({}),
  output: z.object({ count: z.int(), records: z.array(recording) }),
})

/** One recording (A7.3-11). */
export const readRecording = operation({
  name: 'readRecording',
  method: 'GET',
  path: '/npvr/0/:id',
  as: 'profile',
  child: 'allowed',
  summary: 'A recording of the active profile.',
  input: z.object({ id }),
  output: recording,
  errors: ['notFound'],
})

/**
 * Adds a recording to the active profile's favourites, or removes it. With `isBegun: false`, removes it from Continue
 * watching until it is watched again; `isBegun: true` undoes that. The position is kept. A call needs at least one of
 * the two fields.
 */
export const changeRecording = operation({
  name: 'changeRecording',
  method: 'POST',
  path: '/npvr/0/:id',
  as: 'profile',
  child: 'allowed',
  summary: 'Changes whether a recording is a favourite, and whether it is in Continue watching.',
  input: z.object({ id, isFavorite: flag.optional(), isBegun: flag.optional() }),
  output: recording,
  errors: ['notFound'],
})

/**
 * Cancels a planned recording, stops a running recording, or deletes a finished recording (A7.3-12, spec 38). A
 * stopped recording keeps its recorded part. A running recording whose programme has not begun is cancelled. A
 * repeated call within ten seconds does not delete the recording that the first call stopped.
 * {@link restoreRecording} can undo the call up to {@link RECORDING_UNDO_SECONDS} later.
 *
 * `intent` is the button that the viewer pressed. The call needs this field, because the recording may have ended
 * after the viewer saw the button. `end` cancels or stops, and does not delete a finished recording (`kept`).
 * `delete` is never treated as a repeated `end`. Without an intent, the state decides.
 */
export const removeRecording = operation({
  name: 'removeRecording',
  method: 'DELETE',
  path: '/npvr/0/:id',
  as: 'profile',
  child: 'allowed',
  summary: 'Cancels, stops or deletes a recording.',
  input: z.object({ id, intent: z.enum(['end', 'delete']).optional() }),
  output: z.object({ outcome: z.enum(['cancelled', 'stopped', 'deleted', 'kept']) }),
  errors: ['notFound'],
})

/**
 * Undoes {@link removeRecording}, up to {@link RECORDING_UNDO_SECONDS} after it, even if the account has no
 * recording time left.
 */
export const restoreRecording = operation({
  name: 'restoreRecording',
  method: 'POST',
  path: '/npvr/0/:id/restore',
  as: 'profile',
  child: 'allowed',
  summary: 'Undoes the cancelling, stopping or deleting of a recording.',
  input: z.object({ id }),
  output: recording,
  errors: ['notFound'],
})

/**
 * How long after a removal {@link restoreRecording} and {@link restoreSeriesRecording} work, in seconds. Screens
 * offer the undo for a shorter time.
 */
export const RECORDING_UNDO_SECONDS = 60

/**
 * Starts a playback session of a recording, even of a running one (A7.3-13). `x` is the start position: the
 * beginning of the programme (`start`), or the position where the profile stopped watching (`last`).
 */
export const playRecording = operation({
  name: 'playRecording',
  method: 'GET',
  path: '/npvr/0/:id/read/:x',
  as: 'profile',
  child: 'allowed',
  summary: 'Starts a playback session of a recording.',
  input: z.object({
    id,
    x: z.enum(['start', 'last']),
    format,
    hasHardwareSecurity,
    hasFairPlay,
    parentalProof,
  }),
  output: z.object({
    url: z.string(),
    /** Where playback starts, in seconds from the beginning of the manifest. */
    seek: z.number(),
    drm: drm.nullable(),
    session: z.string(),
    /** Whether the manifest still grows, because the programme is being recorded. */
    isGrowing: z.boolean(),
    /** Start of the manifest, in seconds since the Unix epoch. Positions are relative to it. */
    startsAt: z.number(),
    /**
     * Length of the complete recording, in seconds. A growing manifest has this length when the recording ends.
     */
    duration: z.number(),
  }),
  errors: [
    'notFound',
    'accountSuspended',
    'accountNotActivated',
    'noMediaFound',
    'startOverForbidden',
    'invalidAccessCode',
    'tooManySessions',
    'noDeviceLinked',
  ],
})

/**
 * The recording time of the account (A7.3-14), in milliseconds. The packages of the account include recording
 * time, which all profiles of the account share. For an account without such a package, `available` is 0 instead
 * of an error, because pages make this call for every account.
 */
export const readQuota = operation({
  name: 'readQuota',
  method: 'GET',
  path: '/identity/0/quota',
  as: 'profile',
  child: 'allowed',
  summary: 'The recording time of the account, and how much of it is used.',
  input: z.object({}),
  output: z.object({
    npvr: z.object({
      /** Recorded time. Includes the current length of running recordings. */
      consumed: z.int(),
      /** Total recording time of the account. */
      available: z.int(),
      /** Additional time that planned recordings and the rest of running recordings will need. */
      planned: z.int(),
      /** Part of `planned` that the running recordings will need. */
      running: z.int(),
    }),
  }),
})

/** Largest value of `keepLast` that a viewer may choose. */
const MOST_KEPT = 100

/**
 * Records the series of an episode for the active profile: the episode on air, all coming episodes in the guide
 * now, and future ones. The call skips episodes for which the account has too little recording time (`isFull`). With
 * `keepLast`, it plans at most one episode more than that, and those that begin soon. The next ones are planned as these
 * end. A repeated call for a series changes its rule. A rule for one channel leaves the rule for another channel
 * alone, and a rule for any channel takes the place of all rules for the series.
 */
export const createSeriesRecording = operation({
  name: 'createSeriesRecording',
  method: 'POST',
  path: '/npvr/series',
  as: 'profile',
  child: 'allowed',
  summary: 'Records a series for the active profile.',
  input: z.object({
    idEvent: id,
    idChannel: id,
    episodes: z.enum(RECORDED_EPISODES).default('new'),
    /** Whether to record the series on other channels too. */
    anyChannel: flag.default(false),
    keepLast: integer(1, MOST_KEPT).optional(),
  }),
  output: seriesRecording,
  errors: refusals.filter((error) => error !== 'recordingQuotaReached'),
})

/**
 * Changes how a series is recorded. Cancels planned episodes that the new rule excludes, and plans episodes that
 * the new rule adds. The oldest recorded episodes beyond `keepLast` are deleted within an hour, which cannot be undone.
 * A client asks before that ({@link seriesRecording}). All other recorded episodes stay.
 */
export const changeSeriesRecording = operation({
  name: 'changeSeriesRecording',
  method: 'PUT',
  path: '/npvr/series/:id',
  as: 'profile',
  child: 'allowed',
  summary: 'Changes how a series is recorded.',
  input: z.object({
    id,
    episodes: z.enum(RECORDED_EPISODES),
    /** Whether to record the series on other channels too. False keeps the current channel of the series. */
    anyChannel: flag,
    keepLast: integer(1, MOST_KEPT).optional(),
  }),
  output: seriesRecording,
  errors: ['notFound'],
})

/**
 * Returns the series recordings of the active profile, sorted by title. With `idEvent`, only those of the series of
 * this programme, on any channel.
 */
export const listSeriesRecordings = operation({
  name: 'listSeriesRecordings',
  method: 'GET',
  path: '/npvr/series',
  as: 'profile',
  child: 'allowed',
  summary: 'The series that the active profile records.',
  input: z.object({ idEvent: id.optional() }),
  output: z.array(seriesRecording),
})

/**
 * Stops recording a series. Planned episodes are cancelled, and recorded episodes stay.
 * {@link restoreSeriesRecording} can undo the call up to {@link RECORDING_UNDO_SECONDS} later.
 */
export const removeSeriesRecording = operation({
  name: 'removeSeriesRecording',
  method: 'DELETE',
  path: '/npvr/series/:id',
  as: 'profile',
  child: 'allowed',
  summary: 'Records a series no longer.',
  input: z.object({ id }),
  output: z.null(),
  errors: ['notFound'],
})

/**
 * Undoes {@link removeSeriesRecording}, up to {@link RECORDING_UNDO_SECONDS} after it. The series is recorded by its
 * previous rule again, including the cancelled episodes, and new episodes in the guide.
 */
export const restoreSeriesRecording = operation({
  name: 'restoreSeriesRecording',
  method: 'POST',
  path: '/npvr/series/:id/restore',
  as: 'profile',
  child: 'allowed',
  summary: 'Undoes the removal of a series recording.',
  input: z.object({ id }),
  output: seriesRecording,
  errors: ['notFound'],
})
