import * as z from 'zod'

const count = z.int().min(0)

/**
 * A channel of a packed guide. Each array has one entry per programme, so that a programme needs only a few bytes.
 * Each programme starts at the end of the previous one, except the programmes in `holes`.
 */
const packedChannel = z.object({
  /** Start of the first programme, in seconds since the Unix epoch. */
  start: z.int(),
  /** The id of the first programme. Each later value is the difference from the id of the previous programme. */
  ids: z.array(z.int()),
  /** Duration of each programme, in seconds. */
  lengths: z.array(count),
  /** Title of each programme, as an index into the list of titles. */
  titles: z.array(count),
  /**
   * The programmes that do not start at the end of the previous programme. Each entry has the programme's index,
   * and the gap before the programme in seconds. A negative gap is an overlap.
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
