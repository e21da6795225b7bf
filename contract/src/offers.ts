import * as z from 'zod'
import { image } from './entities.ts'
import { amount } from './money.ts'
import { operation } from './operation.ts'
import { flag, id, text } from './wire.ts'

/** How something is sold (A3-25). */
export const OFFER_TYPES = ['subscription', 'transactional', 'ppv'] as const
export type OfferType = (typeof OFFER_TYPES)[number]

/** Content types of offers of single things (A3-25). */
export const SOLD_TYPES = ['VOD_ASSET', 'CHANNEL'] as const
export type SoldType = (typeof SOLD_TYPES)[number]

/** Units of the period after which a subscription is paid again. */
export const RECURRENCE_UNITS = ['day', 'week', 'month', 'year'] as const
export type RecurrenceUnit = (typeof RECURRENCE_UNITS)[number]

/** Where an offer is also sold, outside this service (A3-23). `cleeng-type` is a third-party subscription service. */
export const STORES = ['apple', 'google', 'cleeng-type'] as const
export type Store = (typeof STORES)[number]

/** How often a subscription is paid (A3-17, A4.2-03). */
export const PERIODICITIES = ['daily', 'weekly', 'monthly', 'yearly', 'custom', 'notImplemented'] as const
export type Periodicity = (typeof PERIODICITIES)[number]

/** How often that is, in a word (A4.2-03). A month and thirty days are both monthly. */
export function periodicityOf({ unit, period }: { unit: string; period: number }): Periodicity {
  if (!RECURRENCE_UNITS.some((known) => known === unit) || !(period > 0)) return 'notImplemented'
  switch (`${period} ${unit}`) {
    case '1 day':
      return 'daily'
    case '1 week':
    case '7 day':
      return 'weekly'
    case '1 month':
    case '30 day':
      return 'monthly'
    case '1 year':
    case '12 month':
      return 'yearly'
    default:
      return 'custom'
  }
}

/** Something that is sold (A3-17 to A3-25). Times are seconds since the Unix epoch. */
export const offer = z.object({
  idOption: z.int(),
  offerType: z.enum(OFFER_TYPES),
  /** Markdown; `title` and `titleImage` are what it says (A3-20). */
  name: z.string(),
  title: z.string(),
  titleImage: z.string().nullable(),
  /** As it was written; `description`, `advantages` and `legalCopy` are its parts (A3-21). */
  synopsis: z.string(),
  description: z.string(),
  advantages: z.array(z.string()),
  legalCopy: z.string(),
  specialConditions: z.array(z.string()),
  image: image.nullable(),
  /** The price of each period; of a rental or a pay-per-view, the whole price. */
  priceWithVat: amount,
  /** Null for what is paid once. */
  pricePeriodicity: z.enum(PERIODICITIES).nullable(),
  priceDetail: z.object({
    /** Paid once at the beginning. */
    setup: amount,
    recurring: amount,
    recurrenceUnit: z.enum(RECURRENCE_UNITS).nullable(),
    recurrencePeriod: z.int(),
  }),
  /** A lower price for the first periods (A3-19). */
  discount: z.object({
    active: z.boolean(),
    discountedPriceWithVat: amount,
    /** How much lower, in percent. */
    recurringPercentage: z.number(),
    periods: z.int(),
  }),
  /** The operator's promotion of it, which `discount` tells as well; null without one (A3-26, A3-31). */
  globalPromotion: z
    .object({
      discountedPrice: amount,
      discountPeriods: z.int(),
      /** Empty where it has no words of its own. */
      discountDescription: z.string(),
    })
    .nullable(),
  /** Days that cost nothing at the beginning, for an account that has not had them. */
  trialDays: z.int(),
  /** Subscriptions of one plan differ in their period alone: one of them is chosen by a switch. */
  plan: z.string().nullable(),
  /** Subscriptions of which one must be held, or bought with it (-2212). */
  requires: z.array(z.int()),
  /** Whether the account holds it. */
  userValidityActive: z.boolean(),
  /** Ids of the packages and channels that a purchase opens. */
  objectIds: z.object({ package: z.array(z.int()), channel: z.array(z.int()) }),
  vodPackages: z.array(z.int()),
  downloadContent: z.boolean(),
  validFrom: z.int().nullable(),
  validTo: z.int().nullable(),
  externalId: z.array(z.object({ store: z.enum(STORES), id: z.string() })),
  /** Of a rental or a pay-per-view: how long it may be watched, in seconds; from the first play on for a rental (decision 49). */
  rightSlot: z.int().nullable(),
  /** The title that it is of, when the call names one or it is of one alone (A3-24). */
  idAsset: z.int().nullable(),
  nameAsset: z.string().nullable(),
  descriptionAsset: z.string().nullable(),
  backgroundImageAsset: image.nullable(),
})
export type Offer = z.infer<typeof offer>

export const availableOffers = operation({
  method: 'POST',
  path: '/proxy/availableOffers',
  as: 'visitor',
  summary: 'What is on sale, the cheapest first; with a content, what that is sold with.',
  input: z.object({
    offerType: z.enum(OFFER_TYPES).optional(),
    contentId: id.optional(),
    contentType: z.enum(SOLD_TYPES).default('VOD_ASSET'),
  }),
  output: z.array(offer),
  errors: ['accountSuspended'],
})

const OPERATOR_PATH = '/operator/offers'

/** Longest file of offers, in characters. */
const MOST_WRITTEN = 1_000_000

export const importOffers = operation({
  name: 'importOffers',
  method: 'POST',
  path: `${OPERATOR_PATH}/import`,
  as: 'operator',
  summary:
    'Takes packages and offers from a file in YAML. On any fault nothing changes, and each is told with its line.',
  input: z.object({ file: text(MOST_WRITTEN) }),
  output: z.object({
    /** Keys of offers that are new, have a new revision, or are as they were. */
    added: z.array(z.string()),
    changed: z.array(z.string()),
    unchanged: z.array(z.string()),
  }),
})

/** An offer as its operator sees it. Times are seconds since the Unix epoch. */
const operatedOffer = z.object({
  idOption: z.int(),
  key: z.string(),
  offerType: z.enum(OFFER_TYPES),
  title: z.string(),
  priceWithVat: amount,
  revision: z.int(),
  isOnSale: z.boolean(),
  withdrawnAt: z.int().nullable(),
})

export const listOffers = operation({
  name: 'listOffers',
  method: 'GET',
  path: OPERATOR_PATH,
  as: 'operator',
  summary: 'All offers, those that were withdrawn included.',
  input: z.object({}),
  output: z.array(operatedOffer),
})

export const readOffer = operation({
  name: 'readOffer',
  method: 'GET',
  path: `${OPERATOR_PATH}/:key`,
  as: 'operator',
  summary: 'An offer with all its revisions, the newest first.',
  input: z.object({ key: text(80) }),
  output: operatedOffer.extend({
    revisions: z.array(
      z.object({ revision: z.int(), madeAt: z.int(), terms: z.record(z.string(), z.unknown()) }),
    ),
  }),
  errors: ['notFound'],
})

/** How many subscriptions with older terms of an offer are migrated, and how many are not, by reason. */
const migratedOffer = z.object({
  /** The revision that they are brought to. */
  revision: z.int(),
  /** The first day of the new terms. Each subscription has them with its first period that begins then or later. */
  from: z.int(),
  /** They are brought to the revision, and so many of them are told by a letter: those whose price differs, or that open less. */
  migrated: z.int(),
  told: z.int(),
  /** They were brought to it before, and keep their day. */
  waiting: z.int(),
  /** They keep their terms: they do not renew, or change to another plan. */
  cancelled: z.int(),
  changing: z.int(),
  /** They keep their terms: the revision has another period, or belongs to another plan. */
  different: z.int(),
})

/** A day of UTC, as 2026-01-31. */
export const migrationDay = z.iso.date('must be a day such as 2026-01-31')

export const migrateOffer = operation({
  name: 'migrateOffer',
  method: 'POST',
  path: `${OPERATOR_PATH}/:key/migrate`,
  as: 'operator',
  summary:
    'Brings subscriptions that have older terms of an offer to its current revision, and tells their owners by e-mail. Asked again, it does nothing twice.',
  input: z.object({
    key: text(80),
    /** The first day of the new terms, 30 days away at least; by default the first such day. */
    from: migrationDay.optional(),
    /** Only counts. */
    dryRun: flag.optional(),
  }),
  output: migratedOffer,
  errors: ['notFound'],
})

export const withdrawOffer = operation({
  name: 'withdrawOffer',
  method: 'POST',
  path: `${OPERATOR_PATH}/:key/withdraw`,
  as: 'operator',
  summary: 'Takes an offer off sale. Who has bought it keeps it; importing it again puts it back on sale.',
  input: z.object({ key: text(80) }),
  output: operatedOffer,
  errors: ['notFound'],
})
