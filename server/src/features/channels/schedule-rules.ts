import * as z from 'zod'

const titles = z.array(z.string().min(1)).min(1)

/** What fills the time up to the next round start: short assets or trailers, by title; and the grid in minutes. */
const rounding = {
  roundTo: z
    .union([z.literal(1), z.literal(5), z.literal(10), z.literal(15), z.literal(30), z.literal(60)])
    .nullable()
    .default(null),
  filler: z.array(z.string().min(1)).default([]),
}

const block = z.discriminatedUnion('kind', [
  /** The titles in their order, again and again. A series' title stands for its episodes in order. */
  z.object({ kind: z.literal('sequence'), titles, ...rounding }),
  /** Every title once in a random order, then a new order that does not begin with the last one played. */
  z.object({ kind: z.literal('shuffle'), titles, ...rounding }),
])

/** How a library channel chooses what it plays. */
export const scheduleRules = z.discriminatedUnion('kind', [
  ...block.options,
  /** Other rules by time of day, in a time zone; `from` as `HH:MM`, the first at the earliest. */
  z.object({
    kind: z.literal('dayparts'),
    timeZone: z.string().default('Europe/Paris'),
    parts: z.array(z.object({ from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/), block })).min(1),
  }),
])

export type ScheduleRules = z.infer<typeof scheduleRules>
