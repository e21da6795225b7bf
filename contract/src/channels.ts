import * as z from 'zod'
import { GUIDE } from './constants.ts'
import { channel, programme } from './entities.ts'
import { operation } from './operation.ts'
import { packedGuide } from './packed-guide.ts'
import { id, ids, integer, json } from './wire.ts'

/** All channels, sorted by number (V7-09). */
export const listChannels = operation({
  method: 'POST',
  path: '/proxy/listChannels',
  as: 'visitor',
  summary: 'All channels, by number.',
  input: z.object({}),
  output: z.array(channel),
})

const name = z.string().trim().min(1).max(200)

/** Conditions to select channels and programmes of the guide. A programme must meet all given conditions. */
const guideFilters = z.strictObject({
  /** Genres of channels (`mainGenre`). */
  groups: z.array(name).max(100).optional(),
  /** Genres of programmes. */
  genres: z.array(name).max(100).optional(),
  /** True for free-to-air channels only, false for other channels only. */
  isFta: z.boolean().optional(),
  /** True for radio only, false for television only. */
  isRadio: z.boolean().optional(),
})
export type GuideFilters = z.infer<typeof guideFilters>

/** Maximum length of a window of the guide, in hours. */
const MOST_HOURS = 24 * 15
/** Most days between a window and the time that it is counted from. */
const MOST_DAYS = 30

const moment = integer(0, 4_102_444_800)

/** A window of the guide: `hours` from `start` on (V7-10), or hours of a day (V7-36). */
const guideWindow = z
  .object({
    /** Seconds since the epoch; by default now. */
    start: moment.optional(),
    /** Days to add to `start` or `midnight`. */
    offset: integer(-MOST_DAYS, MOST_DAYS).default(0),
    /** Not used with `endHour`. */
    hours: integer(1, MOST_HOURS).default(GUIDE.windowHours),
    /** Instead of `start`: the start of a day, in seconds since the epoch. */
    midnight: moment.optional(),
    /** Hours from `midnight` to the start of the window; by default 0. */
    startHour: integer(-24 * MOST_DAYS, 24 * MOST_DAYS).optional(),
    /** Hours from `midnight` to the end of the window. */
    endHour: integer(-24 * MOST_DAYS, 24 * MOST_DAYS).optional(),
    /** If omitted, all channels. */
    channelIds: ids(1000).optional(),
    /** If omitted, all channels and programmes. */
    filters: json(guideFilters).optional(),
  })
  .superRefine(({ start, midnight, startHour = 0, endHour }, { addIssue }) => {
    const refuse = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    if (midnight === undefined) {
      if (startHour !== 0 || endHour !== undefined) refuse('midnight', 'is needed with startHour and endHour')
      return
    }
    if (start !== undefined) refuse('midnight', 'must not be sent together with start')
    if (endHour === undefined) return
    if (endHour <= startHour) refuse('endHour', 'must be greater than startHour')
    if (endHour - startHour > MOST_HOURS) refuse('endHour', `must be at most ${MOST_HOURS} after startHour`)
  })

/** Returns the guide: the programmes of each channel, with the key `chan_{idChannel}` (V3-26, V7-10). */
export const epg = operation({
  method: 'POST',
  path: '/proxy/epg',
  as: 'visitor',
  summary: 'The programmes of channels in a window of time.',
  input: guideWindow,
  output: z.record(z.templateLiteral(['chan_', z.number()]), z.array(programme)),
})

/**
 * Like {@link epg}, but for a grid of many channels: only the fields that a grid shows, in a compact form.
 * `unpackChannel` reads that form.
 */
export const epgGrid = operation({
  method: 'POST',
  path: '/proxy/epg/grid',
  name: 'epgGrid',
  as: 'visitor',
  summary: 'The programmes of channels in a window of time, packed for a grid: titles, times, identifiers.',
  input: guideWindow,
  output: packedGuide,
})

/**
 * Details of a programme that only {@link epgEvent} returns. They come from the guide, or from the programme's
 * title in the library.
 */
const announced = z.object({
  credits: z.array(
    z.object({
      role: z.enum([
        'director',
        'actor',
        'writer',
        'adapter',
        'producer',
        'composer',
        'editor',
        'presenter',
        'commentator',
        'guest',
      ]),
      name: z.string(),
      /** The role that an actor plays. */
      as: z.string().optional(),
    }),
  ),
  genres: z.array(z.string()),
  countries: z.array(z.string()),
  isNew: z.boolean(),
  isRepeat: z.boolean(),
  isPremiere: z.boolean(),
  isLive: z.boolean(),
  /** Whether the programme will not be shown again for a while. */
  isLastChance: z.boolean(),
  /** Whether the programme has audio description. */
  isAudioDescribed: z.boolean(),
  /** Whether the programme has sign language. */
  isSigned: z.boolean(),
  /** Whether the programme has subtitles, even if their languages are unknown. */
  isSubtitled: z.boolean(),
  /**
   * For a repeat, the time of the earlier showing, in seconds since the Unix epoch; null if the guide has no
   * earlier showing.
   */
  shownBefore: z.number().nullable(),
  /** The episode in the notation of the source, such as `S02E05`. */
  episode: z.string().nullable(),
  /** A rating such as `4/5`. */
  stars: z.string().nullable(),
  /** Three-letter codes of the audio languages. */
  audioLanguages: z.array(z.string()),
  subtitleLanguages: z.array(z.string()),
  originalLanguage: z.string().nullable(),
})
export type AnnouncedDetails = z.infer<typeof announced>

/**
 * A title inside a programme that is a block of several titles. Times are seconds since the Unix epoch, with
 * fractions.
 */
const part = z.object({
  title: z.string(),
  /** For an episode, its own title. */
  subtitle: z.string(),
  /** For an episode, the numbers of its season and of the episode; null if unknown. */
  season: z.int().nullable(),
  episode: z.int().nullable(),
  /** Number of the last episode, if the title contains several episodes. */
  lastEpisode: z.int().optional(),
  start: z.number(),
  end: z.number(),
  idAsset: z.int(),
})
export type ProgrammePart = z.infer<typeof part>

/** Returns a programme, with the programmes before and after it on the channel (V7-11). */
export const epgEvent = operation({
  method: 'GET',
  path: '/proxy/epg/event/:idChannel/:idEvent',
  name: 'epgEvent',
  as: 'visitor',
  summary: 'A programme with its neighbours on the channel and its other showings.',
  input: z.object({
    /** The channel of the programme; 0 if the caller does not know the channel. */
    idChannel: integer(0, 2_147_483_647),
    idEvent: id,
  }),
  output: z.object({
    /** The programme before `current` on its channel; null if no earlier programme is known. */
    previous: programme.nullable(),
    current: programme,
    announced,
    /** The planned titles of a block in order of time; empty for other programmes. */
    parts: z.array(part),
    /** The programme after `current` on its channel; null if no later programme is known. */
    next: programme.nullable(),
    /**
     * Current and future showings of the same title, on any channel, sorted by time. Each has its channel's
     * name in `direct_metadata.channel_name`.
     */
    showings: z.array(programme),
  }),
  errors: ['notFound'],
})
