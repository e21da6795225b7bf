// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import type * as call from '../../../api/call.ts'
import { ClockContext } from '../../../design/time/clock.ts'
import { useWallProgrammes } from './use-wall-programmes.ts'

const asked = vi.hoisted(() => vi.fn<typeof call.call>())
vi.mock('../../../api/call.ts', async (original) => ({ ...(await original<typeof call>()), call: asked }))

const START = Date.parse('2026-11-21T19:00:00Z') / 1000
const IDS = [3]
/** The programmes of the first and the second hour. */
const GUIDES = [0, 1].map((hour) => {
  const start = START + hour * 3600
  return { chan_3: [{ title: `Hour ${hour}`, startutc: start, endutc: start + 3600 }] }
})

let root: Root
let now = START
let changed = () => {}

beforeEach(() => {
  asked.mockReset()
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

function Wall() {
  const programmes = useWallProgrammes(START, IDS)
  const current = programmes
    .programmesOf(3)
    ?.find(({ startutc, endutc }) => startutc <= programmes.now && endutc > programmes.now)
  return createElement('p', null, current?.title)
}

/** Shows the wall of a page that was rendered at `START`. */
async function showWall() {
  now = START
  const clock = {
    now: () => now,
    drawnAt: START,
    everySecond: (listener: () => void) => {
      changed = listener
      return () => {}
    },
  }
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } })
  const wall = createElement(QueryClientProvider, { client }, createElement(Wall))
  await act(async () => root.render(createElement(ClockContext, { value: clock }, wall)))
}

const pass = async (seconds: number) =>
  await act(async () => await vi.advanceTimersByTimeAsync(seconds * 1000))

const fail = async () => {
  throw new ApiError({ code: 503, status: 503, message: '' })
}

test('V9 after a computer wakes up without a connection, the wall gets the current programmes once it is there', async () => {
  asked.mockResolvedValueOnce(GUIDES[0])
  await showWall()
  await pass(0)
  expect(document.body.textContent).toBe('Hour 0')
  asked.mockImplementation(fail)
  now = START + 3700
  await act(async () => changed())
  await pass(300)
  expect(document.body.textContent).toBe('')
  // The pauses grow, so that a service in trouble is not called every second by each viewer.
  expect(asked.mock.calls.length).toBeLessThan(20)
  asked.mockResolvedValue(GUIDES[1])
  await pass(30)
  expect(document.body.textContent).toBe('Hour 1')
})

test('V9 a wall whose first request failed gets its programmes later', async () => {
  asked.mockImplementationOnce(fail)
  asked.mockResolvedValue(GUIDES[0])
  await showWall()
  await pass(30)
  expect(document.body.textContent).toBe('Hour 0')
})

test('V9 a wall reports an outage once', async () => {
  asked.mockImplementation(fail)
  await showWall()
  await pass(300)
  expect(asked.mock.calls.length).toBeGreaterThan(5)
  expect(console.error).toHaveBeenCalledTimes(1)
})

test('V9 a wall does not repeat a request that the service refuses', async () => {
  asked.mockRejectedValue(new ApiError({ code: -404, status: 404, message: '' }))
  await showWall()
  await pass(300)
  expect(asked).toHaveBeenCalledTimes(1)
  expect(console.error).toHaveBeenCalledTimes(1)
})

test('V9 a closed wall asks no more', async () => {
  asked.mockImplementation(fail)
  await showWall()
  await act(async () => root.render(null))
  const before = asked.mock.calls.length
  await pass(120)
  expect(asked.mock.calls.length).toBe(before)
})
