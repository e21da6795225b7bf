import type { Asset } from '@ondine/contract/entities'
import { firmSpaces } from '@ondine/contract/firm-spaces'
import type { Language } from '@ondine/contract/languages'
import { amountText } from '@ondine/contract/money'
import { conditionsOf, offerTexts } from '@ondine/contract/offer-texts'
import { type Offer, periodicityOf, type Store } from '@ondine/contract/offers'
import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import type { Promotion } from '@ondine/contract/vouchers'
import type { LocalisedText } from '../../../database/columns.ts'
import { proseIn, textIn } from '../../../metadata/texts.ts'
import { type CurrentOffer, isOnSale, type OfferBook } from '../../rights/offers/offer-book.service.ts'
import { type Introduction, withPromotion } from '../../rights/offers/promotions.service.ts'
import type { AccountOffer } from '../../rights/orders/account-offers.service.ts'

/** Data for presenting an offer, the same for every reader. */
export interface OfferSurroundings {
  language: Language
  book: OfferBook
  /** The operator's promotion that applies to the offer. */
  promotion: Introduction | null
  /** Text of the promotion's label, by language. */
  promotionWords: LocalisedText
}

/**
 * Presents an offer (A3-17 to A3-25) for an account that has not bought it. Of the title to buy, only its id is set,
 * if the offer is for a single title.
 */
export function presentOffer(
  { id, type, terms }: Pick<CurrentOffer, 'id' | 'type' | 'terms'>,
  { language, book, promotion, promotionWords }: OfferSurroundings,
): Offer {
  const { recurrence, introduction, opens, packageIds } = withPromotion(terms, promotion)
  const name = textIn(terms.names, language)
  const synopsis = proseIn(terms.synopses, language)
  const conditions = conditionsOf(proseIn(terms.conditions, language))
  const priceWithVat = amountText(terms.cents)
  const texts = offerTexts({ name, synopsis })
  return {
    idOption: id,
    offerType: type,
    name,
    ...texts,
    title: language === 'fra' ? firmSpaces(texts.title) : texts.title,
    synopsis,
    specialConditions: conditions,
    image: null,
    priceWithVat,
    pricePeriodicity: recurrence && periodicityOf(recurrence),
    priceDetail: {
      setup: amountText(terms.setupCents),
      recurring: priceWithVat,
      recurrenceUnit: recurrence?.unit ?? null,
      recurrencePeriod: recurrence?.period ?? 0,
    },
    discount: {
      active: introduction !== null,
      discountedPriceWithVat: amountText(introduction?.cents ?? terms.cents),
      recurringPercentage: introduction === null ? 0 : percentageOff(terms.cents, introduction.cents),
      periods: introduction?.periods ?? 0,
    },
    globalPromotion: promotion && {
      discountedPrice: amountText(promotion.cents),
      discountPeriods: promotion.periods,
      discountDescription: proseIn(promotionWords, language),
    },
    trialDays: terms.trialDays,
    plan: terms.plan,
    requires: terms.requires.flatMap((key) => book.ofKey(key)?.id ?? []),
    userValidityActive: false,
    objectIds: {
      package: packageIds,
      channel: opens.kind === 'channel' ? [opens.channelId] : [],
      season: opens.kind === 'season' ? [opens.categoryId] : [],
    },
    vodPackages: packageIds,
    downloadContent: terms.downloads,
    validFrom: secondsOf(terms.validFrom),
    validTo: secondsOf(terms.validTo),
    externalId: Object.entries(terms.externalIds).map(([store, external]) => ({
      store: store as Store,
      id: external,
    })),
    rightSlot: terms.slotSeconds,
    idAsset: opens.kind === 'title' ? (opens.assetId ?? null) : null,
    nameAsset: null,
    descriptionAsset: null,
    backgroundImageAsset: null,
    startAsset: null,
    endAsset: null,
  }
}

/** Data of an offer that depends on its reader. */
export interface Taken {
  /** Whether the account has the content that the offer opens. */
  isHeld: boolean
  /** Whether the account has used the trial of the plan. */
  hasTried: boolean
  /** The title to buy with the offer. */
  asset: Asset | undefined
}

/** Adds the data that depends on the reader to a presented offer. */
export function withTaken(offer: Offer, { isHeld, hasTried, asset }: Taken): Offer {
  return {
    ...offer,
    trialDays: hasTried ? 0 : offer.trialDays,
    userValidityActive: isHeld,
    idAsset: asset?.idAsset ?? offer.idAsset,
    nameAsset: asset?.title ?? null,
    descriptionAsset: asset?.description ?? null,
    // The cart is a place that cannot blur a picture (A6-08).
    backgroundImageAsset: asset === undefined || asset.isBlurred ? null : asset.backgroundImage,
    startAsset: numberOf(asset?.directMetadata.TS_STARTUTC),
    endAsset: numberOf(asset?.directMetadata.TS_ENDUTC),
  }
}

/** Presents an offer that an account has bought, ordered or put into its cart. */
export function presentAccountOffer(
  { offer, source, statusId, inCart, dueCents, renewals, trialDays, promotion, from, to }: AccountOffer,
  {
    promotions,
    asset,
    hasTried,
    ...surroundings
  }: Omit<OfferSurroundings, 'promotion'> & Pick<Taken, 'asset' | 'hasTried'> & { promotions: Promotion[] },
): UserOffer {
  const isPending = statusId === OFFER_VALIDITY.ordered || statusId === OFFER_VALIDITY.pendingPayment
  const taken = withTaken(presentOffer(offer, { ...surroundings, promotion }), {
    isHeld: !isPending,
    hasTried,
    asset,
  })
  return {
    ...taken,
    source,
    statusId,
    userValidityPending: isPending,
    inCart,
    cartPrice: dueCents === null ? null : amountText(dueCents),
    cartRenewals: renewals.map(({ cents, at }) => ({
      priceWithVat: amountText(cents),
      at: Math.floor(at / 1000),
    })),
    cartTrialDays: trialDays,
    cartValidPromotions: promotions,
    userValidityFrom: secondsOf(from),
    userValidityTo: isPending ? null : (taken.endAsset ?? secondsOf(to)),
  }
}

/** Returns by how many whole percent `lower` is below `cents`. */
function percentageOff(cents: number, lower: number): number {
  return Math.round(((cents - lower) * 100) / cents)
}

function numberOf(value: string | number | undefined): number | null {
  return value === undefined ? null : Number(value)
}

function secondsOf(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.floor(milliseconds / 1000)
}

/** Presents an offer for operators. */
export function presentOperated(offer: CurrentOffer, now: number) {
  const { id, key, type, terms, revision, withdrawnAt } = offer
  const { title } = offerTexts({ name: textIn(terms.names, 'fra'), synopsis: '' })
  return {
    idOption: id,
    key,
    offerType: type,
    title,
    priceWithVat: amountText(terms.cents),
    revision,
    isOnSale: isOnSale(offer, now),
    withdrawnAt: secondsOf(withdrawnAt),
  }
}
