import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { buildOffer } from '../offers/offer-builder.ts'
import { subscriptionsQuery } from '../offers/subscriptions-query.ts'
import { ProductsScreen } from './products-screen.tsx'
import { optionsQuery } from './queries.ts'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

const { t } = bundledWords('fra')
const NOW = 1_795_212_000

/** Renders the screen of an account without subscriptions here, after the call for its other offers. */
async function draw(options: () => Promise<UserOffer[]>): Promise<string> {
  // Without `retryOnMount`, a query that has failed would count as running when the screen is rendered.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  queries.setQueryData(subscriptionsQuery.queryKey, [])
  await queries.prefetchQuery({ ...optionsQuery, queryFn: options })
  const session = {
    account: {
      id: 7,
      firstName: 'Nour',
      lastName: '',
      email: '',
      status: 'ACTIVE' as const,
      tokenExpiresAt: 0,
    },
    profile: null,
    storefront: { name: 'Ondine', demonstration: false },
    now: NOW,
  }
  const screen = createElement(ProductsScreen, { paidOrder: undefined, onPaid: async () => {} })
  return drawAs(screen, { session, configuration: DEFAULT_CONFIGURATION, queries })
}

test('A2.1-18 an account whose offers could not be fetched may have a subscription, and can try again', async () => {
  const page = await draw(async () => await Promise.reject(new Error('503')))
  expect(page).toContain(t('errors.part'))
  expect(page).toContain(t('errors.retry'))
  expect(page).not.toContain(t('products.none'))
})

test('A2.1-18 an account without offers has no subscription', async () => {
  const page = await draw(async () => [])
  expect(page).toContain(t('products.none'))
  expect(page).not.toContain(t('errors.part'))
})

test('A2.1-18 a bought event says when it takes place, and a purchase without an end that it has none', async () => {
  const buy = (offer: Parameters<typeof buildOffer>[0]): UserOffer => ({
    ...buildOffer({ rightSlot: null, ...offer }),
    source: 'order',
    statusId: OFFER_VALIDITY.active,
    userValidityPending: false,
    inCart: false,
    cartPrice: null,
    cartRenewals: [],
    cartTrialDays: 0,
    cartValidPromotions: [],
    userValidityFrom: NOW,
    userValidityTo: offer?.endAsset ?? null,
  })
  const event = { startAsset: NOW + 86_400, endAsset: NOW + 93_600 }
  const page = await draw(async () => [
    buy({ offerType: 'ppv', idAsset: 1, nameAsset: 'La régate', ...event }),
    buy({ idAsset: 2, nameAsset: 'Encre' }),
  ])
  expect(page).toMatch(/La régate<\/h3><p[^>]*>Demain, \d\d:\d\d – \d\d:\d\d</)
  expect(page).toMatch(/Encre<\/h3><p[^>]*>Disponible sans limite de durée</)
})
