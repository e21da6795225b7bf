import * as z from 'zod'

const count = z.int().min(0)

/**
 * A channel of a packed guide. Each field of its programmes is an array of its own, so that a programme takes only a
 * few bytes. Each programme begins where the previous one ends, except for those in `holes`.
 */
const packedChannel = z.object({
  /** Start of the first programme, in seconds since the Unix epoch. */
  start: z.int(),
  /**
   * The id of the first programme. Then, for each programme, the difference between its id and the id of the previous
   * programme.
   */
  ids: z.array(z.int()),
  /** Duration of each programme, in seconds. */
  lengths: z.array(count),
  /** Title of each programme, as an index into the list of titles. */
  titles: z.array(count),
  /**
   * The programmes that do not begin where the previous one ends: the index of the programme, and the seconds between
   * the end of the previous programme and the start of this one. Negative if the two overlap.
   */
  holes: z.array(z.tuple([count, z.int()])),
  /** Indexes of programmes that require the parental code. */
  coded: z.array(count),
})

/** A guide for a grid. Each title is sent once. The channels have keys such as `chan_12` (V3-26). */
export const packedGuide = z.object({
  titles: z.array(z.string()),
  channels: z.record(z.templateLiteral(['chan_', z.number()]), packedChannel),
})
export type PackedGuide = z.infer<typeof packedGuide>
export type PackedChannel = z.infer<typeof packedChannel>
