import * as z from 'zod'
import { GUIDE } from './constants.ts'
import { channel, programme } from './entities.ts'
import { operation } from './operation.ts'
import { packedGuide } from './packed-guide.ts'
import { id, ids, integer, json } from './wire.ts'

/** All channels, by number (V7-09). */
export const listChannels = operation({
  method: 'POST',
  path: '/proxy/listChannels',
  as: 'visitor',
  summary: 'All channels, by number.',
  input: z.object({}),
  output: z.array(channel),
})

const name = z.string().trim().min(1).max(200)

/** Which part of a guide is asked for; conditions that are given must all hold. */
export const guideFilters = z.strictObject({
  /** Genres of channels (`mainGenre`). */
  groups: z.array(name).max(100).optional(),
  /** Genres of programmes. */
  genres: z.array(name).max(100).optional(),
  /** Only what is free to air, or only what is not. */
  isFta: z.boolean().optional(),
  /** Only radio, or only television. */
  isRadio: z.boolean().optional(),
})
export type GuideFilters = z.infer<typeof guideFilters>

/** A window of the guide (V7-10, V7-36). */
const guideWindow = z.object({
  /** Seconds since the epoch; by default now. */
  start: integer(0, 4_102_444_800).optional(),
  /** Days to add to `start`. */
  offset: integer(-30, 30).default(0),
  hours: integer(1, 24 * 15).default(GUIDE.windowHours),
  /** All channels when left out. */
  channelIds: ids(1000).optional(),
  /** Everything when left out. */
  filters: json(guideFilters).optional(),
})

/** The guide: programmes by channel, keyed `chan_{idChannel}` (V3-26, V7-10). */
export const epg = operation({
  method: 'POST',
  path: '/proxy/epg',
  as: 'visitor',
  summary: 'The programmes of channels in a window of time.',
  input: guideWindow,
  output: z.record(z.templateLiteral(['chan_', z.number()]), z.array(programme)),
})

/** The same window with only what a grid of many channels shows of it, packed: see `unpackChannel`. */
export const epgGrid = operation({
  method: 'POST',
  path: '/proxy/epg/grid',
  name: 'epgGrid',
  as: 'visitor',
  summary: 'The programmes of channels in a window of time, packed for a grid: titles, times, identifiers.',
  input: guideWindow,
  output: packedGuide,
})

/** A programme and its neighbours (V7-11). */
export const epgEvent = operation({
  method: 'GET',
  path: '/proxy/epg/event/:idChannel/:idEvent',
  name: 'epgEvent',
  as: 'visitor',
  summary: 'A programme, the one before and the one after it on its channel, and its other showings.',
  input: z.object({
    /** 0 where only the programme is known. */
    idChannel: integer(0, 2_147_483_647),
    idEvent: id,
  }),
  output: z.object({
    /** Null at the end of what is known. */
    previous: programme.nullable(),
    current: programme,
    next: programme.nullable(),
    /** Showings of the same title that are on now or to come, on any channel, by time. Each says its channel's name in `direct_metadata.channel_name`. */
    showings: z.array(programme),
  }),
  errors: ['notFound'],
})
