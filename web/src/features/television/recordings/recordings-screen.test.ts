import type { Session } from '@ondine/contract/accounts'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { SUBSCRIBER } from '../../content/catalogue/asset-builder.ts'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { recordingsQuery } from './recordings-query.ts'
import { RecordingsScreen } from './recordings-screen.tsx'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

test.each([
  [true, '/epg', 'Ouvrir le guide'],
  [false, '/live', 'Voir le direct'],
])('V2.3-02 an empty list offers the guide only if it is open (%s)', (isOpen, address, text) => {
  const { guide } = DEFAULT_CONFIGURATION
  const queries = new QueryClient()
  queries.setQueryData(recordingsQuery.queryKey, { count: 0, records: [] })
  const page = drawAs(createElement(RecordingsScreen, { shows: 'completed' }), {
    session: {
      ...SUBSCRIBER,
      profile: null,
      storefront: { name: 'Ondine', demonstration: false },
      now: 1_795_212_000,
    } satisfies Session,
    configuration: {
      ...DEFAULT_CONFIGURATION,
      guide: { ...guide, epgGridConfiguration: { ...guide.epgGridConfiguration, pageActivation: isOpen } },
    },
    queries,
  })
  expect(page.match(/href="[^"]*"/g)).toEqual([`href="${address}"`])
  expect(page).toContain(text)
})
