import * as z from 'zod'

const count = z.int().min(0)

/**
 * A channel of a packed guide, with one array per field, so that a programme takes only a few bytes.
 * Programmes follow each other without a gap unless `holes` says otherwise.
 */
const packedChannel = z.object({
  /** Start of the first programme, in seconds since the Unix epoch. */
  start: z.int(),
  /** The first identifier, then the difference from each programme's identifier to the previous one. */
  ids: z.array(z.int()),
  /** Duration of each programme, in seconds. */
  lengths: z.array(count),
  /** Title of each programme, as an index into the list of titles. */
  titles: z.array(count),
  /**
   * Gaps: the index of a programme, and the seconds between the end of the previous programme and its start.
   * Negative if the two overlap.
   */
  holes: z.array(z.tuple([count, z.int()])),
  /** Indexes of programmes that require the parental code. */
  coded: z.array(count),
})

/** A guide for a grid: each title once, and the channels keyed `chan_{idChannel}` (V3-26). */
export const packedGuide = z.object({
  titles: z.array(z.string()),
  channels: z.record(z.templateLiteral(['chan_', z.number()]), packedChannel),
})
export type PackedGuide = z.infer<typeof packedGuide>
export type PackedChannel = z.infer<typeof packedChannel>
