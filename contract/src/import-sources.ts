import * as z from 'zod'

const cron = z
  .string()
  .trim()
  .regex(/^\S+(\s+\S+){4}$/, 'must be a cron expression of five fields')
  .nullable()

/** A name or a place that an operator gives: something stands there. */
const words = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((value) => !/\p{Cc}/u.test(value), 'has control characters')

/** Where a guide comes from, and how it is read: what an operator decides of it. */
export const guideSource = z.strictObject({
  name: words(100),
  /** An http or https address; by a command also the absolute path of a file. */
  location: words(2000),
  /** For times that name no zone: an IANA name. */
  timeZone: z.string().refine(isTimeZone, 'is not a known time zone').default('UTC'),
  /** When it is imported, in UTC; null for only when asked. */
  cron: cron.default(null),
  /** Three-letter code of texts that name no language. */
  language: z
    .string()
    .regex(/^[a-z]{3}$/, 'must be a three-letter code')
    .default('fra'),
  /** 0 to 6: what counts for a programme without a rating that is known. */
  unratedLevel: z.int().min(0).max(6).default(6),
  /** Of several sources of a channel the one with the highest counts, and the others fill its gaps; among equals, the last import. */
  priority: z.int().min(0).max(100).default(50),
  /** Channels by the ids of the guide: a channel's guide id, its name, or its number. */
  mapping: z.record(z.string().max(200), z.string().max(200)).default({}),
})
export type GuideSource = z.infer<typeof guideSource>

/** What a channel gets when it first comes with a list. */
export const listDefaults = z.strictObject({
  /** It plays for every account. */
  free: z.boolean().optional(),
  /** 0 to 6. */
  moralityLevel: z.int().min(0).max(6).optional(),
  /** Key of the package that it is sold in. */
  package: words(100).optional(),
  /** The first number for channels whose own is taken, or that have none. */
  firstNumber: z.int().min(1).max(99_999).optional(),
})

/** A list of channels (M3U): what an operator decides of it. */
export const channelList = z.strictObject({
  name: words(100),
  /** As that of a guide. */
  location: words(2000),
  cron: cron.default(null),
  defaults: listDefaults.default({}),
})
export type ChannelList = z.infer<typeof channelList>

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    // Intl has no other way to ask.
    return false
  }
}
