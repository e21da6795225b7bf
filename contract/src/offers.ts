import * as z from 'zod'
import { image } from './entities.ts'
import { amount } from './money.ts'
import { operation } from './operation.ts'
import { flag, id, text } from './wire.ts'

/** Kinds of offers (A3-25). */
export const OFFER_TYPES = ['subscription', 'transactional', 'ppv'] as const
export type OfferType = (typeof OFFER_TYPES)[number]

/** Content types of offers for single items (A3-25). */
export const SOLD_TYPES = ['VOD_ASSET', 'CHANNEL'] as const
export type SoldType = (typeof SOLD_TYPES)[number]

/** Units of a subscription's billing period. */
export const RECURRENCE_UNITS = ['day', 'week', 'month', 'year'] as const
export type RecurrenceUnit = (typeof RECURRENCE_UNITS)[number]

/** Other shops that sell an offer (A3-23). `cleeng-type` is a third-party subscription service. */
export const STORES = ['apple', 'google', 'cleeng-type'] as const
export type Store = (typeof STORES)[number]

/** Payment intervals of subscriptions (A3-17, A4.2-03). */
export const PERIODICITIES = ['daily', 'weekly', 'monthly', 'yearly', 'custom', 'notImplemented'] as const
export type Periodicity = (typeof PERIODICITIES)[number]

/** Returns the name of an interval (A4.2-03). A month and thirty days are both monthly. */
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

/** An offer (A3-17 to A3-25). Times are seconds since the Unix epoch. */
export const offer = z.object({
  idOption: z.int(),
  offerType: z.enum(OFFER_TYPES),
  /** The name in Markdown. `title` and `titleImage` are extracted from it (A3-20). */
  name: z.string(),
  title: z.string(),
  /** The address of the picture in the name, as the operator wrote it. No screen shows it (docs/decisions/0110). */
  titleImage: z.string().nullable(),
  /** The whole text as the operator wrote it. `description`, `advantages` and `legalCopy` are parts of it (A3-21). */
  synopsis: z.string(),
  description: z.string(),
  advantages: z.array(z.string()),
  legalCopy: z.string(),
  specialConditions: z.array(z.string()),
  /** Always null, because offers have no pictures of their own (docs/decisions/0110). */
  image: image.nullable(),
  /** The price per period; for a rental or a pay-per-view, the whole price. */
  priceWithVat: amount,
  /** The payment interval; null for a one-time payment. */
  pricePeriodicity: z.enum(PERIODICITIES).nullable(),
  priceDetail: z.object({
    /** Amount that is paid once, at the start of the subscription. */
    setup: amount,
    recurring: amount,
    recurrenceUnit: z.enum(RECURRENCE_UNITS).nullable(),
    recurrencePeriod: z.int(),
  }),
  /** The lower price for the first periods of a subscription (A3-19). */
  discount: z.object({
    active: z.boolean(),
    discountedPriceWithVat: amount,
    /** The reduction in percent. */
    recurringPercentage: z.number(),
    periods: z.int(),
  }),
  /** The operator's promotion, if the offer has one. `discount` then has the same lower price (A3-26, A3-31). */
  globalPromotion: z
    .object({
      discountedPrice: amount,
      discountPeriods: z.int(),
      /** Empty if the operator wrote no text for the promotion. */
      discountDescription: z.string(),
    })
    .nullable(),
  /** Number of free days at the start; 0 for an account that has used the trial of the plan. */
  trialDays: z.int(),
  /**
   * Name of the plan. Subscriptions of the same plan differ only in their period. Screens let the viewer switch
   * between the periods.
   */
  plan: z.string().nullable(),
  /**
   * Ids of subscriptions. To buy this offer, the account must hold one of these subscriptions, or buy one in the
   * same order. Otherwise the call fails with -2212.
   */
  requires: z.array(z.int()),
  /** Whether the account holds the offer. */
  userValidityActive: z.boolean(),
  /** Ids of the packages, channels and seasons that the offer gives access to. */
  objectIds: z.object({
    package: z.array(z.int()),
    channel: z.array(z.int()),
    season: z.array(z.int()),
  }),
  vodPackages: z.array(z.int()),
  downloadContent: z.boolean(),
  validFrom: z.int().nullable(),
  validTo: z.int().nullable(),
  externalId: z.array(z.object({ store: z.enum(STORES), id: z.string() })),
  /**
   * Duration of the access to a rental or a pay-per-view, in seconds. The duration of a rental begins with the
   * first play (spec 49).
   */
  rightSlot: z.int().nullable(),
  /**
   * The title that the offer gives access to. Set if the call names a title, or if the offer is for a single title
   * (A3-24). The other fields of the title are set only if the call names it.
   */
  idAsset: z.int().nullable(),
  nameAsset: z.string().nullable(),
  descriptionAsset: z.string().nullable(),
  backgroundImageAsset: image.nullable(),
  /** Start and end of the title, if it is an event. Otherwise null. */
  startAsset: z.int().nullable(),
  endAsset: z.int().nullable(),
})
export type Offer = z.infer<typeof offer>

export const availableOffers = operation({
  method: 'POST',
  path: '/proxy/availableOffers',
  as: 'visitor',
  summary: 'The offers on sale, the cheapest first. With a content, the offers for it.',
  input: z.object({
    offerType: z.enum(OFFER_TYPES).optional(),
    contentId: id.optional(),
    contentType: z.enum(SOLD_TYPES).default('VOD_ASSET'),
  }),
  output: z.array(offer),
  errors: ['accountSuspended'],
})

const OPERATOR_PATH = '/operator/offers'

/** Maximum length of an offers file, in characters. */
const MOST_WRITTEN = 1_000_000

export const importOffers = operation({
  name: 'importOffers',
  method: 'POST',
  path: `${OPERATOR_PATH}/import`,
  as: 'operator',
  summary:
    'Imports packages and offers from a YAML file. If it has any fault, nothing changes, and all faults are returned with their lines.',
  input: z.object({ file: text(MOST_WRITTEN) }),
  output: z.object({
    /** Keys of offers that are new, have a new revision, or are unchanged. */
    added: z.array(z.string()),
    changed: z.array(z.string()),
    unchanged: z.array(z.string()),
  }),
})

/** An offer in operator calls. Times are seconds since the Unix epoch. */
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
  summary: 'All offers, including withdrawn ones.',
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

/** Numbers of subscriptions with older terms of an offer: migrated, and not migrated for each reason. */
const migratedOffer = z.object({
  /** The revision of the offer to which subscriptions are migrated. */
  revision: z.int(),
  /**
   * The first day of the new terms. They apply to each subscription from its first period that begins on or after that
   * day.
   */
  from: z.int(),
  /**
   * `migrated` is the number of migrated subscriptions. `told` is the number of subscribers who get an e-mail,
   * because their price changes or they lose rights.
   */
  migrated: z.int(),
  told: z.int(),
  /**
   * Number of subscriptions that an earlier call scheduled for this revision. The first day of the earlier call
   * still applies to these subscriptions.
   */
  waiting: z.int(),
  /**
   * Numbers of subscriptions that are not migrated. `cancelled` counts subscriptions that do not renew, `changing`
   * counts subscriptions with a scheduled change to another plan.
   */
  cancelled: z.int(),
  changing: z.int(),
  /**
   * Number of subscriptions that are not migrated, because the revision has another period or belongs to another plan.
   */
  different: z.int(),
})

/** A day in UTC, such as 2026-01-31. */
export const migrationDay = z.iso.date('must be a day such as 2026-01-31')

export const migrateOffer = operation({
  name: 'migrateOffer',
  method: 'POST',
  path: `${OPERATOR_PATH}/:key/migrate`,
  as: 'operator',
  summary:
    'Migrates subscriptions with older terms of an offer to its current revision, and informs their owners by e-mail. Repeated calls do nothing twice.',
  input: z.object({
    key: text(80),
    /** The first day of the new terms, at least 30 days ahead. Default: the earliest possible day. */
    from: migrationDay.optional(),
    /** If true, the call only counts subscriptions, and migrates none. */
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
  summary:
    'Takes an offer off sale. Accounts that bought it keep it. Importing it again puts it back on sale.',
  input: z.object({ key: text(80) }),
  output: operatedOffer,
  errors: ['notFound'],
})
