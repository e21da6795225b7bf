import { joinNames } from '@ondine/contract/asset-state'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { Facts } from './facts.tsx'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

test('V2.1-18 each person and each tag is one link, even with a comma in the name', () => {
  const page = drawAs(
    createElement(Facts, {
      facts: [
        ['Avec', joinNames(['Ada Lorn', 'Sammy Davis, Jr.']), 'AD_LIACTORS'],
        ['Studio', 'Marée, Films', 'AD_LIPRODUC'],
      ],
    }),
    {
      session: {
        account: null,
        profile: null,
        storefront: { name: 'Ondine', demonstration: false },
        now: 1_795_212_000,
      },
      configuration: DEFAULT_CONFIGURATION,
      queries: new QueryClient(),
    },
  )
  const links = [...page.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)</g)]
  expect(links.map(([, address, name]) => [decodeURIComponent(address ?? ''), name])).toEqual([
    ['/search/ada lorn?searchBy=AD_LIACTORS', 'Ada Lorn'],
    ['/search/sammy davis, jr.?searchBy=AD_LIACTORS', 'Sammy Davis, Jr.'],
    ['/search/marée, films?searchBy=AD_LIPRODUC', 'Marée, Films'],
  ])
})
