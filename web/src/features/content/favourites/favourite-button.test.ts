import type { Session } from '@ondine/contract/accounts'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { expect, test, vi } from 'vitest'
import { drawAs } from '../../ground/words/draw-as.tsx'
import { buildChannel, SUBSCRIBER } from '../catalogue/asset-builder.ts'
import { FavouriteButton } from './favourite-button.tsx'
import { favouriteChannelsQuery } from './favourites-query.ts'

vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ origin: 'https://ondine.test', prefix: { path: '', atRoot: true } }),
}))

test.each([
  ['Ajouter Rive à ma liste', []],
  ['Retirer Rive de ma liste', [buildChannel()]],
])('V4-47 a screen reader reads the action “%s”, without a pressed state', (name, favourites) => {
  const queries = new QueryClient()
  queries.setQueryData(favouriteChannelsQuery.queryKey, favourites)
  const button = drawAs(createElement(FavouriteButton, { thing: { idChannel: 1 }, title: 'Rive' }), {
    // The button reads only whether a profile is active.
    session: { ...SUBSCRIBER, profile: {} } as Session,
    configuration: DEFAULT_CONFIGURATION,
    queries,
  })
  expect(button).toContain(`aria-label="${name}"`)
  expect(button).not.toContain('aria-pressed')
  expect(button.includes('data-selected="true"')).toBe(favourites.length > 0)
})
