import * as z from 'zod'
import { GUIDE } from './constants.ts'
import { channel, programme } from './entities.ts'
import { operation } from './operation.ts'
import { ids, integer } from './wire.ts'

/** All channels, by number (V7-09). */
export const listChannels = operation({
  method: 'POST',
  path: '/proxy/listChannels',
  as: 'visitor',
  summary: 'All channels, by number.',
  input: z.object({}),
  output: z.array(channel),
})

/** The guide: programmes by channel, keyed `chan_{idChannel}` (V3-26, V7-10). */
export const epg = operation({
  method: 'POST',
  path: '/proxy/epg',
  as: 'visitor',
  summary: 'The programmes of channels in a window of time.',
  input: z.object({
    /** Seconds since the epoch; by default now. */
    start: integer(0, 4_102_444_800).optional(),
    /** Days to add to `start`. */
    offset: integer(-30, 30).default(0),
    hours: integer(1, 24 * 15).default(GUIDE.windowHours),
    /** All channels when left out. */
    channelIds: ids(1000).optional(),
  }),
  output: z.record(z.templateLiteral(['chan_', z.number()]), z.array(programme)),
})
