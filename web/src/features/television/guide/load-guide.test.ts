import { epgGrid, listChannels } from '@ondine/contract/channels'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type * as call from '../../../api/call.ts'
import { configurationQuery } from '../../ground/configuration/configuration-query.ts'
import type { GuideAddress } from '../schedule/address.ts'
import { loadGuide } from './load-guide.ts'

const asked = vi.hoisted(() => vi.fn<typeof call.call>())
vi.mock('../../../api/call.ts', async (original) => ({ ...(await original<typeof call>()), call: asked }))
vi.mock('./zone-of-page.ts', () => ({ zoneOfPage: () => 'Europe/Paris' }))

/** Loads the guide at `now`. @returns the start of the day that the page has */
async function dayAt(now: string, address: GuideAddress = {}): Promise<Date> {
  const windows: { start?: number }[] = []
  asked.mockImplementation(async ({ name }, input) => {
    if (name === listChannels.name) return [{ idChannel: 3, mainGenre: '' }]
    if (name === epgGrid.name) windows.push(input)
    return { now: Date.parse(now) / 1000 }
  })
  const queries = new QueryClient()
  queries.setQueryData(configurationQuery.queryKey, {
    configuration: DEFAULT_CONFIGURATION,
    revisions: {},
    tag: '',
  })
  await loadGuide(queries, address, 'fra')
  expect(windows).toHaveLength(1)
  return new Date((windows[0]?.start ?? Number.NaN) * 1000)
}

test.each([
  ['at noon', '2026-11-21T12:00:00+01:00'],
  ['just after midnight, when the view begins on the day before', '2026-11-21T00:10:00+01:00'],
  ['just before midnight', '2026-11-21T23:59:00+01:00'],
])('V2.3-03 the page of the guide has the current day %s', async (_when, now) => {
  expect(await dayAt(now)).toEqual(new Date('2026-11-21T00:00:00+01:00'))
})

test('V9-04 the page of the guide has the day of its address', async () => {
  const address = { day: '2026-11-23', time: '20:30' }
  expect(await dayAt('2026-11-21T00:10:00+01:00', address)).toEqual(new Date('2026-11-23T00:00:00+01:00'))
})
