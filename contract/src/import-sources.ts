import * as z from 'zod'

const cron = z
  .string()
  .trim()
  .regex(/^\S+(\s+\S+){4}$/, 'must be a cron expression of five fields')
  .nullable()

/** Returns the schema of a name or a location that an operator enters. An empty text is not allowed. */
const words = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => !/\p{Cc}/u.test(value), 'has control characters')

/** The source of a guide, and how to parse it. Operators set all fields. */
export const guideSource = z.strictObject({
  name: words(100),
  /** An http or https address. The command line also accepts the absolute path of a file. */
  location: words(2000),
  /** IANA time zone of times in the guide that have no zone. */
  timeZone: z.string().refine(isTimeZone, 'is not a known time zone').default('UTC'),
  /** Import schedule, in UTC; null to import only on request. */
  cron: cron.default(null),
  /** Three-letter code of the language of texts without a language. */
  language: z
    .string()
    .regex(/^[a-z]{3}$/, 'must be a three-letter code')
    .default('fra'),
  /** Age level of programmes without a known rating, 0 to 6. */
  unratedLevel: z.int().min(0).max(6).default(6),
  /**
   * If a channel has several sources, its programmes come from the source with the highest priority, and the other
   * sources fill the gaps. Among sources with the same priority, the last import has precedence.
   */
  priority: z.int().min(0).max(100).default(50),
  /**
   * Maps ids of channels in the guide to channels. Each value names a channel by its guide id, name or
   * number.
   */
  mapping: z.record(z.string().max(200), z.string().max(200)).default({}),
})
export type GuideSource = z.infer<typeof guideSource>

/** Initial values for the channels of a list. */
const listDefaults = z.strictObject({
  /** Whether every signed-in account can play the channels. */
  free: z.boolean().optional(),
  /** Age level of the channels, 0 to 6. */
  moralityLevel: z.int().min(0).max(6).optional(),
  /** Key of the package that contains the channel. */
  package: words(100).optional(),
  /** First number for channels without a number, or with a number that is already used. */
  firstNumber: z.int().min(1).max(99_999).optional(),
})

/** A channel list (M3U). Operators set all fields. */
export const channelList = z.strictObject({
  name: words(100),
  /** An http or https address. The command line also accepts the absolute path of a file. */
  location: words(2000),
  cron: cron.default(null),
  defaults: listDefaults.default({}),
})
export type ChannelList = z.infer<typeof channelList>

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // `Intl` throws for an unknown time zone, and offers no other way to check one.
    return false
  }
}
