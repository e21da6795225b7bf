import * as z from 'zod'

const title = z.string().min(1).max(300)
const titles = z.array(title).min(1).max(2000)
const order = z.enum(['sequence', 'shuffle'])
const texts = z.record(z.string().regex(/^[a-z]{3}$/), z.string().min(1).max(2000))

/** Prefix of a block's id in a list of titles. */
const BLOCK_PREFIX = 'block:'

/** One programme composed of several titles: a short film evening, an hour of music. */
const block = z.object({
  id: z.string().regex(/^[a-z0-9-]{1,100}$/, 'must be lower-case letters, digits and hyphens'),
  title: texts.refine((names) => Object.keys(names).length > 0, 'must be given in at least one language'),
  synopsis: texts.default({}),
  /** File name of the picture, relative to `channels.json`. */
  picture: z.string().min(1).max(255).optional(),
  /** Id of the stored picture, set by imports. */
  imageId: z.string().nullable().default(null),
  genres: z.array(z.string().min(1).max(100)).max(10).default([]),
  /** Level of the programme. By default it is the highest level of the block's titles. */
  moralityLevel: z.int().min(0).max(6).optional(),
  /**
   * Planned length in minutes. A block consists of whole titles and fillers, so it may end up to a minute late, or
   * early by less than the shortest filler. A first title that is longer than the block plays to its end.
   */
  minutes: z.int().min(26).max(104),
  order: order.default('sequence'),
  titles: titles.refine(
    (names) => !names.some((name) => name.startsWith(BLOCK_PREFIX)),
    'cannot hold another block',
  ),
})
export type ProgrammeBlock = z.infer<typeof block>

/** Fields that rules of all kinds have. */
const common = {
  /**
   * Programmes begin at multiples of this many minutes, as nearly as whole fillers allow (see `nextFiller`).
   * Null: each programme follows directly after the previous one.
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
 * Rules by which a library channel chooses what it plays.
 *
 * - `sequence`: the titles in their order, repeatedly. A series' title stands for all its episodes in order.
 * - `shuffle`: every title once in a random order, then again in a new order that does not begin with the title
 *   that played last. Each time, a series plays its next episode.
 * - `dayparts`: different titles by local time of day. No programme is cut: a part of the day begins with the first
 *   programme that starts in it.
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

/** List of titles with its order of play. */
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

/** Returns the id of the block to which an item of a list refers; undefined for a title of the library. */
export function blockIdOf(name: string): string | undefined {
  return name.startsWith(BLOCK_PREFIX) ? name.slice(BLOCK_PREFIX.length) : undefined
}

/** Returns the item by which a list of titles refers to a block. */
export function blockName(id: string): string {
  return `${BLOCK_PREFIX}${id}`
}

/** Returns every library title in the rules, including fillers and titles inside blocks. */
export function titlesOf(rules: ScheduleRules): string[] {
  const named = [
    ...partsOf(rules).flatMap((part) => part.titles),
    ...rules.blocks.flatMap((inside) => inside.titles),
    ...rules.filler,
  ]
  return [...new Set(named.filter((name) => blockIdOf(name) === undefined))]
}

/** Returns whether `name` is a time zone, such as `Europe/Paris`. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // `Intl` throws for an unknown time zone, and offers no other way to check one.
    return false
  }
}
