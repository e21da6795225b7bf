import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { buildAsset } from '../catalogue/asset-builder.ts'
import { RichText } from './rich-text.tsx'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

const NOW = 1_795_212_000

test('V3-19 the cards in a text do not say that their titles are new', () => {
  const reference = 'vod_asset/1'
  const film = buildAsset({ title: 'Minuit', validityStartDateTime: NOW - 60 })
  const text = createElement(RichText, {
    blocks: [{ kind: 'card', reference }],
    cards: { [reference]: { type: 'asset', payload: film } },
  })
  const page = drawAs(text, {
    session: {
      account: null,
      profile: null,
      storefront: { name: 'Ondine', demonstration: false },
      now: NOW,
    },
    configuration: DEFAULT_CONFIGURATION,
    queries: new QueryClient(),
  })
  expect(page).toContain('Minuit')
  expect(page).not.toContain(bundledWords('fra').t('tag.new'))
})
