// @vitest-environment happy-dom
import type { Session } from '@ondine/contract/accounts'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import type { Subscription } from '@ondine/contract/subscriptions'
import { QueryClient } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, test, vi } from 'vitest'
import { modal } from '../../../modals/modal.ts'
import { bundledWords } from '../../../words/bundled-words.ts'
import { SUBSCRIBER } from '../../content/catalogue/asset-builder.ts'
import { drawAs, inScene } from '../../ground/words/draw-as.tsx'
import { buildOffer } from '../offers/offer-builder.ts'
import { subscriptionsQuery } from '../offers/subscriptions-query.ts'
import { paymentMethodsQuery } from '../payments/payment-methods-query.ts'
import { receiptsQuery } from '../receipts/receipts-query.ts'
import { ProductsScreen } from './products-screen.tsx'
import { optionsQuery } from './queries.ts'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

const device = vi.hoisted(() => ({ native: false }))
vi.mock('../../ground/platform/use-platform.ts', () => ({ useNative: () => device.native }))
vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn(async () => undefined) } }))

const { t } = bundledWords('fra')
const NOW = 1_795_212_000
const SESSION: Session = {
  ...SUBSCRIBER,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: NOW,
}
const SCREEN = createElement(ProductsScreen, { paidOrder: undefined, onPaid: async () => {} })

/** Renders the screen of an account without subscriptions here, after the call for its other offers. */
async function draw(options: () => Promise<UserOffer[]>): Promise<string> {
  // Without `retryOnMount`, a query that has failed would count as running when the screen is rendered.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  queries.setQueryData(subscriptionsQuery.queryKey, [])
  await queries.prefetchQuery({ ...optionsQuery, queryFn: options })
  return drawAs(SCREEN, { session: SESSION, configuration: DEFAULT_CONFIGURATION, queries })
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

test('V1-04 A4.8-12 an app that may not sell refers to the website instead of changing a plan, taking a payment or a gift code', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  device.native = true
  const owed: Subscription = {
    id: 4,
    idOption: 4,
    title: 'Grand',
    statusId: OFFER_VALIDITY.active,
    periodicity: 'monthly',
    validTo: NOW,
    next: { step: 'retries', at: NOW, amount: '8.99' },
    change: null,
    newPrice: null,
    canChange: true,
    replaceableBy: [],
    isCardChosen: true,
    method: null,
  }
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  queries.setQueryData(subscriptionsQuery.queryKey, [owed])
  for (const { queryKey } of [optionsQuery, paymentMethodsQuery, receiptsQuery])
    queries.setQueryData(queryKey, [])
  const root = createRoot(document.body.appendChild(document.createElement('div')))
  const scene = { session: SESSION, configuration: DEFAULT_CONFIGURATION, queries }
  try {
    await act(async () => root.render(inScene(SCREEN, scene)))
    const texts = [t('products.change'), t('products.pay', { amount: '8,99\u00a0€' }), t('gift.enter')]
    for (const text of texts) {
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === text)
      await act(async () => button?.click())
    }
    expect(vi.mocked(modal.open).mock.calls).toEqual(
      texts.map(() => [
        'restrictPayment',
        { link: 'https://ondine.test/account/products', description: t('products.onWebsite') },
      ]),
    )
    expect(document.body.textContent).not.toContain(t('products.otherPlans'))
    expect(document.body.textContent).toContain(t('products.cancel'))
  } finally {
    await act(async () => root.unmount())
    device.native = false
    vi.unstubAllGlobals()
  }
})
