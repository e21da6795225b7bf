import * as z from 'zod'

const count = z.int().min(0)

/**
 * One channel of a packed guide: a column for each field, so that it takes a few bytes for a programme. Programmes
 * follow each other without a hole unless `holes` says so.
 */
const packedChannel = z.object({
  /** When the first programme begins, in seconds since the Unix epoch. */
  start: z.int(),
  /** The first identifier, then for each programme what is to be added to the one before. */
  ids: z.array(z.int()),
  /** How long each programme lasts, in seconds. */
  lengths: z.array(count),
  /** Each title, by its place in the list of titles. */
  titles: z.array(count),
  /** Before which programme nothing is known for how many seconds; less than none where two overlap. */
  holes: z.array(z.tuple([count, z.int()])),
  /** Which programmes need the parental code. */
  coded: z.array(count),
})

/** A guide as it travels to a grid: each title once, and the channels by their names, `chan_{idChannel}` (V3-26). */
export const packedGuide = z.object({
  titles: z.array(z.string()),
  channels: z.record(z.templateLiteral(['chan_', z.number()]), packedChannel),
})
export type PackedGuide = z.infer<typeof packedGuide>
export type PackedChannel = z.infer<typeof packedChannel>
