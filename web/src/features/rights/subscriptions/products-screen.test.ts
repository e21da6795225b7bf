import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { subscriptionsQuery } from '../offers/subscriptions-query.ts'
import { ProductsScreen } from './products-screen.tsx'
import { optionsQuery } from './queries.ts'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

const { t } = bundledWords('fra')

/** Renders the screen of an account without subscriptions here, after the call for its other offers. */
async function draw(options: () => Promise<[]>): Promise<string> {
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
    now: 1_795_212_000,
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
