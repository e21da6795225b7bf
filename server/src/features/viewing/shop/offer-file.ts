import { type OfferType, RECURRENCE_UNITS, type RecurrenceUnit, STORES } from '@ondine/contract/offers'
import * as z from 'zod'
import { cents, key, moment } from '../../../money/written-fields.ts'
import { type ReadYaml, readYaml, type YamlFault } from '../../../read-yaml.ts'

// The format of the file in which operators define packages and offers.

/** Text by language: `{ fra: …, eng: … }`. */
function texts(max: number) {
  return z
    .record(
      z.string().regex(/^[a-z]{3}$/, 'must be a language code of three letters'),
      z
        .string('must be text')
        .max(max, `must be at most ${max} characters`)
        .refine(
          (value) => !value.includes('\0') && value.isWellFormed(),
          'has characters that cannot be stored',
        ),
      'must be a text for each language',
    )
    .refine((value) => Object.keys(value).length > 0, 'must be given in at least one language')
}

/** The length of a period: `month`, `2 weeks`. */
const every = z.string('must be a time such as month or "2 weeks"').transform((written, context) => {
  const [, count = '1', unit = ''] = /^(?:(\d{1,3}) )?([a-z]+?)s?$/.exec(written) ?? []
  const known = RECURRENCE_UNITS.find((each) => each === unit)
  const period = Number(count)
  if (known !== undefined && period >= 1) return { unit: known, period }
  context.issues.push({
    code: 'custom',
    message: 'must be a time such as month or "2 weeks"',
    input: written,
  })
  return z.NEVER
})

const hours = z
  .int('must be a whole number of hours')
  .min(1, 'must be 1 or more')
  .max(87_600, 'must be at most 87600')

const title = z
  .string('must be the name of a title')
  .min(1, 'must not be empty')
  .max(300, 'must be at most 300 characters')
const titles = z.array(title, 'must be a list of titles').max(20_000, 'must be at most 20000')

const pack = z.strictObject({
  key,
  name: texts(100),
  /** Recording time that the package adds to an account. */
  recordingHours: z
    .int('must be a whole number of hours')
    .min(0, 'must be 0 or more')
    .max(100_000, 'must be at most 100000')
    .default(0),
  /** Films, and series with all their episodes. */
  titles: titles.default([]),
  /** Numbers of channels. */
  channels: z
    .array(z.int('must be the number of a channel'), 'must be a list of numbers')
    .max(10_000)
    .default([]),
})

const common = {
  key,
  name: texts(500),
  synopsis: texts(5000).prefault({ fra: '' }),
  conditions: texts(5000).prefault({ fra: '' }),
  price: cents,
  excludes: z.array(key, 'must be a list of offers').max(100).default([]),
  once: z.boolean('must be true or false').default(false),
  downloads: z.boolean('must be true or false').default(false),
  /** Largest height of video that the offer opens, in lines, such as 720. */
  maximumHeight: z
    .int('must be a number of lines')
    .min(144, 'must be at least 144')
    .max(4320, 'must be at most 4320')
    .nullable()
    .default(null),
  validFrom: moment.nullable().default(null),
  validTo: moment.nullable().default(null),
  externalIds: z
    .partialRecord(z.enum(STORES), z.string('must be text').min(1).max(200), 'must be an id for each store')
    .default({}),
}

const subscription = z.strictObject({
  type: z.literal('subscription'),
  ...common,
  packages: z.array(key, 'must be a list of packages').min(1, 'must have one package at least').max(100),
  every,
  setup: cents.default(0),
  trialDays: z.int('must be a whole number of days').min(0).max(365).default(0),
  introduction: z
    .strictObject({ price: cents, periods: z.int('must be a whole number').min(1).max(120) })
    .nullable()
    .default(null),
  plan: key.nullable().default(null),
  requires: z.array(key, 'must be a list of offers').max(100).default([]),
})

/** The content of a rental. Exactly one of these fields is set. */
const subjects = {
  /** Titles, each of which is rented separately at this price. */
  titles: titles.min(1, 'must have one title at least').optional(),
  /** A package as a price class: each of its titles is rented at this price. */
  class: key.optional(),
  /** A season of a series, as a whole. */
  season: z
    .strictObject({ series: title, number: z.int('must be a whole number').min(0).max(1000) })
    .optional(),
}

const transactional = z.strictObject({
  type: z.literal('transactional'),
  ...common,
  ...subjects,
  /** Viewing time from the first play on. */
  hours: hours.default(48),
})

const ppv = z.strictObject({
  type: z.literal('ppv'),
  ...common,
  /** A live event, by its title. */
  event: title.optional(),
  /** A channel, by its number. The channel can be watched for `hours` after the purchase. */
  channel: z.int('must be the number of a channel').optional(),
  hours: hours.optional(),
})

const file = z.strictObject({
  packages: z.array(pack, 'must be a list of packages').max(1000, 'must be at most 1000').default([]),
  offers: z
    .array(
      z.discriminatedUnion(
        'type',
        [subscription, transactional, ppv],
        'must be of type subscription, transactional or ppv',
      ),
      'must be a list of offers',
    )
    .max(10_000, 'must be at most 10000')
    .default([]),
})
export type WrittenOffer = z.output<typeof file>['offers'][number]
export type OfferFile = ReadYaml<z.output<typeof file>>

/** Returns the period of an offer; null for a one-time payment. */
export function recurrenceOf(offer: WrittenOffer): { unit: RecurrenceUnit; period: number } | null {
  return offer.type === 'subscription' ? offer.every : null
}

const SUBJECTS: Record<Exclude<OfferType, 'subscription'>, readonly string[]> = {
  transactional: ['titles', 'class', 'season'],
  ppv: ['event', 'channel'],
}

/** Reads a file of packages and offers. Returns all faults of its form if there are any. */
export function readOfferFile(source: string): OfferFile | YamlFault[] {
  const read = readYaml(source, file, { what: 'the file' })
  if (Array.isArray(read)) return read
  const { values, lineOf } = read
  const faults: YamlFault[] = []
  const fault = (path: readonly PropertyKey[], reason: string) =>
    faults.push({ line: lineOf(path), reason: `${path.join('.')} ${reason}` })
  for (const list of ['packages', 'offers'] as const) {
    const seen = new Set<string>()
    for (const [index, each] of values[list].entries()) {
      if (seen.has(each.key)) fault([list, index, 'key'], `stands twice: ${each.key}`)
      seen.add(each.key)
    }
  }
  for (const [index, offer] of values.offers.entries()) {
    const at = (...path: PropertyKey[]) => ['offers', index, ...path]
    const { validFrom, validTo, key: own, excludes } = offer
    if (validFrom !== null && validTo !== null && validTo <= validFrom)
      fault(at('validTo'), 'must be later than validFrom')
    const requires = offer.type === 'subscription' ? offer.requires : []
    if (excludes.includes(own)) fault(at('excludes'), 'must not name the offer itself')
    if (requires.includes(own)) fault(at('requires'), 'must not name the offer itself')
    if (requires.some((each) => excludes.includes(each)))
      fault(at('excludes'), 'must not name an offer that this offer requires')
    if (offer.type === 'subscription') {
      if (offer.introduction !== null && offer.introduction.price >= offer.price)
        fault(at('introduction', 'price'), 'must be lower than the price')
      continue
    }
    const names = SUBJECTS[offer.type]
    const given = names.filter((name) => offer[name as keyof typeof offer] !== undefined)
    if (given.length !== 1) fault(at(given[1] ?? 'type'), `must have one of ${names.join(', ')}`)
    if (offer.type === 'ppv' && (offer.channel !== undefined) !== (offer.hours !== undefined))
      fault(at('hours'), 'must be given for a channel, and only for a channel')
  }
  return faults.length > 0 ? faults : read
}
