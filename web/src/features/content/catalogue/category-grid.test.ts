import type { Session } from '@ondine/contract/accounts'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { CategoryGrid } from './category-grid.tsx'
import { listQuery } from './list-query.ts'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

const { t } = bundledWords('fra')
const START = { id: 4, sort: 'none', shuffle: 1 } as const
const VISITOR: Session = {
  account: null,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: 1_795_212_000,
}

/** Renders the grid after the call for its titles has been answered with `answer`, or has failed. */
async function draw(answer: () => Promise<[]>, besideSubCategories: boolean): Promise<string> {
  // Without `retryOnMount`, a query that has failed would count as running when the grid is rendered.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  await queries.prefetchInfiniteQuery({ ...listQuery(START), queryFn: answer })
  const grid = createElement(CategoryGrid, { start: START, besideSubCategories })
  return drawAs(grid, { session: VISITOR, configuration: DEFAULT_CONFIGURATION, queries })
}

test.each([false, true])(
  'V3-54 a list that fails in another order offers to try again, and can be put in a third order (%s)',
  async (besideSubCategories) => {
    const page = await draw(async () => await Promise.reject(new Error('503')), besideSubCategories)
    expect(page).toContain(t('errors.part'))
    expect(page).toContain(t('errors.retry'))
    expect(page).toContain(t('category.sort'))
    expect(page).not.toContain(t('category.empty'))
  },
)

test('a category without titles is empty', async () => {
  const page = await draw(async () => [], false)
  expect(page).toContain(t('category.empty'))
  expect(page).not.toContain(t('errors.part'))
  expect(await draw(async () => [], true)).toBe('')
})
