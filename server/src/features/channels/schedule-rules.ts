import * as z from 'zod'

const title = z.string().min(1).max(300)
const titles = z.array(title).min(1).max(2000)

/** What all kinds of rules have. */
const common = {
  /**
   * Programmes begin at multiples of so many minutes, as nearly as whole fillers reach (see `fillerUpTo`). Null: one
   * directly after the other.
   */
  roundTo: z
    .int()
    .min(1)
    .max(60)
    .refine((minutes) => 60 % minutes === 0, 'must divide an hour')
    .nullable()
    .default(null),
  /** Titles whose trailers fill the time until then; a title without a trailer stands for itself. */
  filler: z.array(title).max(2000).default([]),
}

const order = z.enum(['sequence', 'shuffle'])

const timeZone = z.string().refine(isTimeZone, 'is not a known time zone').default('Europe/Paris')

/**
 * How a library channel chooses what it plays.
 *
 * - `sequence`: the titles in their order, again and again. A series' title stands for all its episodes in order.
 * - `shuffle`: every title once in a random order, then a new order that does not begin with the last one played. When
 *   it is a series' turn, its next episode plays.
 * - `dayparts`: other titles by local time of day. A part begins with the first programme that begins in it; none is cut.
 */
export const scheduleRules = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('sequence'), titles, ...common }),
  z.object({ kind: z.literal('shuffle'), titles, ...common }),
  z.object({
    kind: z.literal('dayparts'),
    timeZone,
    /** Before the first of a day the last one goes on. */
    dayparts: z
      .array(
        z.object({
          from: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:MM'),
          titles,
          order: order.default('sequence'),
        }),
      )
      .min(1)
      .max(96)
      .refine(
        (parts) => new Set(parts.map(({ from }) => from)).size === parts.length,
        'must begin at different times',
      ),
    ...common,
  }),
])

export type ScheduleRules = z.infer<typeof scheduleRules>

/** One list of titles and how it is played. */
export interface Block {
  /** Names the block in a channel's state. */
  key: string
  order: z.infer<typeof order>
  titles: readonly string[]
}

/** The blocks of rules: one, or one for each part of the day. */
export function blocksOf(rules: ScheduleRules): Block[] {
  if (rules.kind !== 'dayparts') return [{ key: 'all', order: rules.kind, titles: rules.titles }]
  return rules.dayparts.map(({ from, order, titles }) => ({ key: from, order, titles }))
}

/** Every title that rules name, fillers included. */
export function titlesOf(rules: ScheduleRules): string[] {
  return [...new Set([...blocksOf(rules).flatMap((block) => block.titles), ...rules.filler])]
}

/** Whether it is the name of a time zone, such as `Europe/Paris`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // Intl has no other way to ask.
    return false
  }
}
