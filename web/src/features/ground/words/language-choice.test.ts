import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { createElement } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { drawAs } from './draw-as.tsx'
import { LanguageChoice } from './language-choice.tsx'

interface DrawnButton {
  id: string
  onPress: () => void
}

const { drawn, kept } = vi.hoisted(() => ({ drawn: [] as DrawnButton[], kept: vi.fn() }))
vi.mock('../../../design/buttons/button.tsx', () => ({
  Button: (button: DrawnButton) => {
    drawn.push(button)
    return null
  },
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ prefix: { path: '/fr', atRoot: false } }),
}))
vi.mock('../../../api/kept.ts', () => ({ keep: kept }))

afterEach(() => {
  vi.unstubAllGlobals()
  drawn.length = 0
})

test.each([
  ['/fr/search/houle', '?type=series', '#results', '/en/search/houle?type=series#results'],
  ['/fr/live', '', '', '/en/live'],
])('V2.3-08 V9-19 another language keeps the address %s%s%s', (pathname, search, hash, there) => {
  const assign = vi.fn()
  vi.stubGlobal('location', { pathname, search, hash, assign })
  const session = {
    account: null,
    profile: null,
    storefront: { name: 'Ondine', demonstration: false },
    now: 1_795_212_000,
  }
  drawAs(createElement(LanguageChoice), {
    session,
    configuration: DEFAULT_CONFIGURATION,
    queries: new QueryClient(),
  })
  drawn.find(({ id }) => id === 'language-eng')?.onPress()
  expect(assign.mock.calls).toEqual([[there]])
  expect(kept).toHaveBeenCalledWith('language', 'eng', expect.any(Number))
})
