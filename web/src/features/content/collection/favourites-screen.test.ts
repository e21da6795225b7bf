import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { Asset, Channel } from '@ondine/contract/entities'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { buildAsset, buildChannel, SUBSCRIBER } from '../catalogue/asset-builder.ts'
import { favouriteChannelsQuery, favouriteTitlesQuery } from '../favourites/favourites-query.ts'
import type { OtherCards } from './card-section.tsx'
import { FavouritesScreen } from './favourites-screen.tsx'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))
vi.mock('../catalogue/home-posters.tsx', () => ({ HomePosters: () => null }))

const NOW = 1_795_212_000

const { t } = bundledWords('fra')

/** Renders the screen of a profile with the favourites `titles`, after the call for its favourite channels. */
async function draw(
  channels: () => Promise<Channel[]>,
  titles: Asset[] = [],
  recordings: OtherCards = { section: null, isEmpty: true },
): Promise<string> {
  // Without `retryOnMount`, a query that has failed would count as running when the screen is rendered.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  queries.setQueryData(
    favouriteTitlesQuery.queryKey,
    titles.map((payload) => ({ type: 'asset', payload })),
  )
  await queries.prefetchQuery({ ...favouriteChannelsQuery, queryFn: channels })
  const session = {
    ...SUBSCRIBER,
    profile: null,
    storefront: { name: 'Ondine', demonstration: false },
    now: NOW,
  }
  return drawAs(createElement(FavouritesScreen, { start: NOW, recordings }), {
    session,
    configuration: DEFAULT_CONFIGURATION,
    queries,
  })
}

test('A2.1-14 a list whose channels could not be fetched is not empty, and offers to try again', async () => {
  const page = await draw(async () => await Promise.reject(new Error('503')))
  expect(page).toContain(t('errors.part'))
  expect(page).toContain(t('errors.retry'))
  expect(page).not.toContain(t('favourites.empty'))
})

test('A2.1-14 a list without titles and channels is empty', async () => {
  const page = await draw(async () => [])
  expect(page).toContain(t('favourites.empty'))
  expect(page).not.toContain(t('errors.part'))
})

test('A2.1-14 a list with recordings is not empty', async () => {
  const page = await draw(async () => [], [], { section: 'Le Bal', isEmpty: false })
  expect(page).toContain('Le Bal')
  expect(page).not.toContain(t('favourites.empty'))
})

test('A2.1-14 V3-27 a channel has no text about its programme as long as its programmes are unknown', async () => {
  const page = await draw(async () => [buildChannel({ name: 'Rive' })])
  expect(page).toContain('Rive')
  expect(page).not.toContain(t('live.noProgramme'))
})

test('V3-19 a list in which most titles are new says so on each', async () => {
  const titles = [1, 2].map((idAsset) => buildAsset({ idAsset, validityStartDateTime: NOW - 60 }))
  const page = await draw(async () => [], titles)
  expect(page.split(t('tag.new'))).toHaveLength(titles.length + 1)
})
