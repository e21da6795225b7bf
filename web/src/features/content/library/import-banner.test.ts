// @vitest-environment happy-dom
import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement, type ReactElement, use } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { prerender } from 'react-dom/static'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ViewerContext } from '../../ground/session/session.ts'
import { ImportBanner } from './import-banner.tsx'
import { type ImportProgress, importProgressQuery } from './progress-query.ts'

/** The code of the summary: the server has it, a browser gets it when the promise is resolved. */
const code = vi.hoisted(() => ({ ...Promise.withResolvers<void>(), isOnServer: true }))

vi.mock('./import-summary.tsx', () => ({
  default: ({ progress }: { progress: ImportProgress }) => {
    if (!code.isOnServer) use(code.promise)
    return `${progress.ready} of ${progress.total}`
  },
}))
vi.mock('../../../api/call.ts', () => ({ call: async () => await new Promise(() => undefined) }))

let root: Root | undefined

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  notifyManager.setScheduler((notify) => notify())
})
afterEach(async () => {
  await act(async () => root?.unmount())
  vi.unstubAllGlobals()
})

function progress(ready: number): ImportProgress {
  return { running: true, ready, total: 9, percent: ready * 10, secondsLeft: null, items: [] }
}

function banner(queries: QueryClient): ReactElement {
  const session = { profile: null, storefront: { demonstration: true } }
  const viewer = createElement(ViewerContext, { value: { session } as never }, createElement(ImportBanner))
  return createElement(QueryClientProvider, { client: queries }, viewer)
}

test('the progress of an import stays on the page if more titles are ready before its code has come', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  queries.setQueryData(importProgressQuery.queryKey, progress(3))
  const { prelude } = await prerender(banner(queries))
  const page = document.createElement('div')
  page.innerHTML = await new Response(prelude).text()
  expect(page.textContent).toBe('3 of 9')

  code.isOnServer = false
  await act(async () => {
    root = hydrateRoot(page, banner(queries))
  })
  await act(async () => queries.setQueryData(importProgressQuery.queryKey, progress(4)))
  expect(page.textContent).toBe('3 of 9')

  await act(async () => code.resolve())
  await expect.poll(() => page.textContent).toBe('4 of 9')
})
