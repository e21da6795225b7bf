import type { Offer } from '@ondine/contract/offers'

/** Builds a rental of 48 hours in the form that the service returns, for tests. */
export function buildOffer(differences: Partial<Offer> = {}): Offer {
  return {
    idOption: 1,
    offerType: 'transactional',
    name: 'Location',
    title: 'Location',
    titleImage: null,
    synopsis: '',
    description: '',
    advantages: [],
    legalCopy: '',
    specialConditions: [],
    image: null,
    priceWithVat: '3.99',
    pricePeriodicity: null,
    priceDetail: { setup: '0.00', recurring: '0.00', recurrenceUnit: null, recurrencePeriod: 0 },
    discount: { active: false, discountedPriceWithVat: '0.00', recurringPercentage: 0, periods: 0 },
    globalPromotion: null,
    trialDays: 0,
    plan: null,
    requires: [],
    userValidityActive: false,
    objectIds: { package: [], channel: [], season: [] },
    vodPackages: [],
    downloadContent: false,
    validFrom: null,
    validTo: null,
    externalId: [],
    rightSlot: 172_800,
    idAsset: null,
    nameAsset: null,
    descriptionAsset: null,
    backgroundImageAsset: null,
    startAsset: null,
    endAsset: null,
    ...differences,
  }
}

/** Builds a plan of 5.99 a month, for tests. */
export function buildPlan(differences: Partial<Offer> = {}): Offer {
  return buildOffer({
    idOption: 2,
    offerType: 'subscription',
    name: 'Cinéma',
    title: 'Cinéma',
    description: 'Tous les films.',
    advantages: ['Sans publicité', 'Deux écrans'],
    priceWithVat: '5.99',
    pricePeriodicity: 'monthly',
    priceDetail: { setup: '0.00', recurring: '5.99', recurrenceUnit: 'month', recurrencePeriod: 1 },
    rightSlot: null,
    ...differences,
  })
}
