import type { Session } from '@ondine/contract/accounts'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { resultsQuery, type Wanted } from './queries.ts'
import { SearchScreen } from './search-screen.tsx'
import { useRemembered } from './use-recent-searches.ts'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))
vi.mock('./use-recent-searches.ts', () => ({ useRemembered: vi.fn<typeof useRemembered>() }))

const VISITOR: Session = {
  account: null,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: 1_795_212_000,
}
const NONE = { all: 0, movies: 0, series: 0, lives: 0, programs: 0, articles: 0 }

afterEach(() => {
  vi.resetAllMocks()
})

test.each([
  ['titles', { all: 2, movies: 2 }, 'phare'],
  ['only articles', { articles: 2 }, 'phare'],
  ['nothing', {}, undefined],
])(
  'spec 24 remembers a search that found titles or articles, and no other: %s',
  (_what, counts, remembered) => {
    const wanted: Wanted = { term: 'phare', type: 'all' }
    const queries = new QueryClient()
    const page = {
      items: [],
      page: 1,
      counts: { ...NONE, ...counts },
      correction: null,
      highlight: [],
      popular: [],
      articles: [],
    }
    queries.setQueryData(resultsQuery(wanted, DEFAULT_CONFIGURATION.search).queryKey, {
      pages: [page],
      pageParams: [1],
    })
    drawAs(createElement(SearchScreen, { wanted, heading: '', term: 'phare', path: '/search/phare' }), {
      session: VISITOR,
      configuration: DEFAULT_CONFIGURATION,
      queries,
    })
    expect(useRemembered).toHaveBeenCalledWith(remembered)
  },
)
