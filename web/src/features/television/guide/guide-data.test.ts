// @vitest-environment happy-dom
import { type GridProgramme, packGuide } from '@ondine/contract/guide-grid'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import type * as call from '../../../api/call.ts'
import { useGuideData } from './guide-data.ts'

const asked = vi.hoisted(() => vi.fn<typeof call.call>())
vi.mock('../../../api/call.ts', async (original) => ({ ...(await original<typeof call>()), call: asked }))

const HOUR = 3600
const START = Date.parse('2026-11-21T00:00:00Z') / 1000
const DAYS = [{ date: '2026-11-21', start: START, end: START + 24 * HOUR }]
const VIEW = { firstRow: 0, lastRow: 0, from: START, to: START + 4 * HOUR }
const IDS = [3]

let root: Root

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockReturnValue()
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.body.appendChild(document.createElement('main')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function Row() {
  const data = useGuideData(IDS, DAYS, undefined, VIEW)
  const titles = data.tilesOf(0).map(({ kind, programmes }) => programmes[0]?.title ?? kind)
  return createElement('p', null, `${titles.join(', ')}${data.failed ? ' (failed)' : ''}`)
}

function guideWith(title: string) {
  const programme: GridProgramme = {
    id: 7,
    id_channel: 3,
    title,
    startutc: START,
    endutc: START + 24 * HOUR,
    isNeedParentalCode: false,
  }
  return packGuide([[3, [programme]]])
}

const pass = async (seconds: number) =>
  await act(async () => await vi.advanceTimersByTimeAsync(seconds * 1000))

/** Opens a guide that has a film. */
async function openGuide() {
  const client = new QueryClient({
    defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } },
  })
  asked.mockResolvedValueOnce(guideWith('Film'))
  await act(async () => root.render(createElement(QueryClientProvider, { client }, createElement(Row))))
  await pass(0)
}

test('an open guide shows a changed programme within 15 minutes, and keeps its tiles when a request fails', async () => {
  await openGuide()
  expect(document.body.textContent).toBe('Film')
  asked.mockRejectedValueOnce(new ApiError({ code: 503, status: 503, message: '' }))
  await pass(900)
  expect(document.body.textContent).toBe('Film')
  asked.mockResolvedValue(guideWith('Other film'))
  await pass(900)
  expect(document.body.textContent).toBe('Other film')
})

test('a viewer who returns to an open guide after more than 5 minutes gets it anew', async () => {
  await openGuide()
  asked.mockResolvedValue(guideWith('Other film'))
  await pass(301)
  expect(document.body.textContent).toBe('Film')
  await act(async () => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await pass(0)
  expect(document.body.textContent).toBe('Other film')
})
