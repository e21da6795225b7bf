import * as z from 'zod'

const title = z.string().min(1).max(300)
const titles = z.array(title).min(1).max(2000)
const order = z.enum(['sequence', 'shuffle'])
const texts = z.record(z.string().regex(/^[a-z]{3}$/), z.string().min(1).max(2000))

/** Prefix of a block's id in a list of titles. */
const BLOCK_PREFIX = 'block:'

/** A programme composed of several titles, such as a short film evening or an hour of music. */
const block = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,100}$/, 'must be lower-case letters, digits and hyphens'),
  title: texts.refine((names) => Object.keys(names).length > 0, 'must be given in at least one language'),
  synopsis: texts.default({}),
  /** File name of the picture, relative to `channels.json`. */
  picture: z.string().min(1).max(255).optional(),
  /** Id of the stored picture, set by imports. */
  imageId: z.string().nullable().default(null),
  genres: z.array(z.string().min(1).max(100)).max(10).default([]),
  /** Age level of the programme. Default: the highest level of the block's titles. */
  moralityLevel: z.int().min(0).max(6).optional(),
  /**
   * Planned length in minutes. A block consists of whole titles and fillers, so it may end up to a minute late, or
   * early by less than the shortest filler. If the first title is longer than the block, it still plays to its
   * end.
   */
  minutes: z.int().min(26).max(104),
  order: order.default('sequence'),
  titles: titles.refine(
    (names) => !names.some((name) => name.startsWith(BLOCK_PREFIX)),
    'cannot hold another block',
  ),
})
export type ProgrammeBlock = z.infer<typeof block>

/** Fields of all kinds of rules. */
const common = {
  /**
   * Programmes begin at multiples of this many minutes, as nearly as whole fillers allow (see `nextFiller`). Null:
   * each programme starts at the end of the previous one.
   */
  roundTo: z
    .int()
    .min(1)
    .max(60)
    .refine((minutes) => 60 % minutes === 0, 'must divide an hour')
    .nullable()
    .default(null),
  /**
   * Titles whose trailers fill the time until the next programme. If a title has no trailer, the title itself
   * is used.
   */
  filler: z.array(title).max(2000).default([]),
  /** Programmes composed of several titles. A list of titles refers to such a programme as `block:<id>`. */
  blocks: z.array(block).max(500).default([]),
}

const timeZone = z.string().refine(isTimeZone, 'is not a known time zone').default('Europe/Paris')

/**
 * Rules by which a library channel chooses its titles.
 *
 * - `sequence`: the titles in their order, repeatedly. The title of a series means all its episodes, in order.
 * - `shuffle`: every title once in a random order, then again in a new order that does not begin with the title
 *   that played last. A series plays its next episode each time.
 * - `dayparts`: different titles by local time of day. Programmes are never cut. A part of the day begins at the
 *   end of the programme that is on air at that time.
 */
export const scheduleRules = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('sequence'), titles, ...common }),
    z.object({ kind: z.literal('shuffle'), titles, ...common }),
    z.object({
      kind: z.literal('dayparts'),
      timeZone,
      /** Before the first part of a day, the last part of the previous day continues. */
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
  .superRefine((rules, context) => {
    const known = new Set(rules.blocks.map(({ id }) => id))
    if (known.size < rules.blocks.length)
      context.addIssue({ code: 'custom', path: ['blocks'], message: 'must have different ids' })
    for (const name of [...partsOf(rules).flatMap((part) => part.titles), ...rules.filler]) {
      const id = blockIdOf(name)
      if (id !== undefined && !known.has(id))
        context.addIssue({ code: 'custom', path: ['blocks'], message: `has no ${JSON.stringify(id)}` })
    }
  })

export type ScheduleRules = z.infer<typeof scheduleRules>

/** A list of titles with an order of playback. */
export interface Part {
  /** Identifies the part in `ScheduleCursor.blocks`. */
  key: string
  order: z.infer<typeof order>
  titles: readonly string[]
}

/**
 * Returns the parts of rules. For `dayparts`, returns one part for each part of the day, the earliest first; for
 * other rules, a single part.
 */
export function partsOf(rules: ScheduleRules): Part[] {
  if (rules.kind !== 'dayparts') return [{ key: 'all', order: rules.kind, titles: rules.titles }]
  return rules.dayparts
    .map(({ from, order, titles }) => ({ key: from, order, titles }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
}

/** Returns the id of the block that a list item refers to; undefined for a title of the library. */
export function blockIdOf(name: string): string | undefined {
  return name.startsWith(BLOCK_PREFIX) ? name.slice(BLOCK_PREFIX.length) : undefined
}

/** Returns the list item that refers to a block. */
export function blockName(id: string): string {
  return `${BLOCK_PREFIX}${id}`
}

/** Returns all library titles in the rules, including fillers and titles of blocks. */
export function titlesOf(rules: ScheduleRules): string[] {
  const named = [
    ...partsOf(rules).flatMap((part) => part.titles),
    ...rules.blocks.flatMap((inside) => inside.titles),
    ...rules.filler,
  ]
  return [...new Set(named.filter((name) => blockIdOf(name) === undefined))]
}

/** Returns whether `name` is a time zone, such as `Europe/Paris`. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // `Intl` throws an error for an unknown time zone, and has no function for checking one.
    return false
  }
}
