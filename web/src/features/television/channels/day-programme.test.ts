// @vitest-environment happy-dom
import type { Channel, Programme } from '@ondine/contract/entities'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as call from '../../../api/call.ts'
import { DayProgramme } from './day-programme.tsx'

const asked = vi.hoisted(() => vi.fn<typeof call.call>())
vi.mock('../../../api/call.ts', async (original) => ({ ...(await original<typeof call>()), call: asked }))
vi.mock('react-i18next', () => ({ useTranslation: () => ({ t: (key: string) => key }) }))
vi.mock('../../../words/place.tsx', () => ({ usePlace: () => ({ language: 'fra', timeZone: 'UTC' }) }))
vi.mock('../../../design/buttons/button.tsx', () => ({
  Button: ({ children, onPress }: { children: string; onPress: () => void }) =>
    createElement('button', { onClick: onPress }, children),
}))
vi.mock('./programme-list.tsx', () => ({
  ProgrammeList: ({ programmes }: { programmes: Programme[] }) =>
    programmes.map(({ title }) => createElement('p', { key: title }, title)),
}))

const HOUR = 3600
const MIDNIGHT = Date.parse('2026-11-21T00:00:00Z') / 1000
const NOW = MIDNIGHT + 12 * HOUR
const CHANNEL = { idChannel: 3, name: 'Rive' } as Channel

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  asked.mockReset()
  root = createRoot(document.body.appendChild(document.createElement('main')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function programme(title: string, hour: number): Programme {
  const startutc = MIDNIGHT + hour * HOUR
  return { title, startutc, endutc: startutc + HOUR } as Programme
}

/** Shows the day of a channel with `soon` in the next hours, and `day` on the whole day. */
async function show(soon: Programme[], day: Programme[]): Promise<void> {
  asked.mockResolvedValue({ chan_3: day })
  const screen = createElement(DayProgramme, { channel: CHANNEL, programmes: soon, now: NOW })
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  await act(async () => root.render(createElement(QueryClientProvider, { client }, screen)))
}

const seen = () => [...document.querySelectorAll('p, button')].map((element) => element.textContent)
const press = async () => await act(async () => document.querySelector('button')?.click())

test('a channel that is silent for hours shows when it goes on, and its whole day', async () => {
  await show([], [programme('Morning', 6), programme('Evening', 20)])
  await expect.poll(seen).toEqual(['Evening', 'live.wholeDay'])
  await press()
  expect(seen()).toEqual(['Morning', 'Evening'])
})

test('a channel whose day is over says so, and still shows its whole day', async () => {
  await show([], [programme('Morning', 6)])
  await expect.poll(seen).toEqual(['live.noneLater', 'live.wholeDay'])
  await press()
  expect(seen()).toEqual(['Morning'])
})

test('a channel without programmes says that its schedule is not there yet', async () => {
  await show([], [])
  await expect.poll(seen).toEqual(['live.noProgrammes'])
})

test('a channel with coming programmes fetches the whole day only for a viewer who requests it', async () => {
  const current = programme('Now', 12)
  await show([current], [programme('Morning', 6), current])
  expect(seen()).toEqual(['Now', 'live.wholeDay'])
  expect(asked).not.toHaveBeenCalled()
  await press()
  await expect.poll(seen).toEqual(['Morning', 'Now'])
})
