import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { buildAsset } from './asset-builder.ts'
import { EpisodeList } from './episode-list.tsx'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

const NOW = 1_795_212_000

test.each([
  ['the new episode of a season', [false, false, true], 1],
  ['no episode of a season that is new as a whole', [true, true, true], 0],
])('V3-19 the tag “new” marks %s', (_which, areNew, marks) => {
  const episodes = areNew.map((isNew, index) =>
    buildAsset({
      idAsset: index + 1,
      // Arrived a minute ago, in the hour to which the page rounds the time down.
      validityStartDateTime: isNew ? NOW + 1740 : NOW - 30 * 86_400,
    }),
  )
  const list = drawAs(createElement(EpisodeList, { episodes, page: '/series/le-metier-7/details' }), {
    session: {
      account: null,
      profile: null,
      storefront: { name: 'Ondine', demonstration: false },
      now: NOW + 1800,
    },
    configuration: DEFAULT_CONFIGURATION,
    queries: new QueryClient(),
  })
  // The text of the tag, and the name of the link.
  expect(list.split(bundledWords('fra').t('tag.new'))).toHaveLength(2 * marks + 1)
})
