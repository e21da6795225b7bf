import type { Session } from '@ondine/contract/accounts'
import type { Channel, Programme } from '@ondine/contract/entities'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type * as call from '../../../api/call.ts'
import { dayQuery } from '../../content/line-up/queries.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { loadAroundNow } from './load-around-now.ts'

const asked = vi.hoisted(() => vi.fn<typeof call.call>())
vi.mock('../../../api/call.ts', async (original) => ({ ...(await original<typeof call>()), call: asked }))

const MIDNIGHT = Date.parse('2026-11-20T23:00:00Z') / 1000
const NOW = MIDNIGHT + 7200
const CHANNEL = { idChannel: 3 } as Channel
const DAY = dayQuery(MIDNIGHT, 24, 3).queryKey

beforeEach(() => void asked.mockReset())

/** Loads the page of a signed-out viewer. @returns the day that the page has */
async function dayOf(programmes: readonly Partial<Programme>[] | undefined): Promise<unknown> {
  asked.mockResolvedValue({ chan_3: [] })
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, { profile: null } as Session)
  const place = { now: NOW, timeZone: 'Europe/Paris' }
  await loadAroundNow(queries, CHANNEL, programmes as Programme[] | undefined, place)
  return queries.getQueryData(DAY)
}

test('the page of a silent channel has the day of the channel, in the time zone of the page', async () => {
  expect(await dayOf([])).toEqual({ chan_3: [] })
})

test.each([
  ['current', NOW - 60],
  ['next', NOW + 60],
])('the page of a channel with a %s programme does not ask for the day', async (_which, startutc) => {
  expect(await dayOf([{ id: 1, startutc, endutc: NOW + 600, idAsset: null }])).toBeUndefined()
})

test('V8-03 without the guide the page does not ask for the day', async () => {
  expect(await dayOf(undefined)).toBeUndefined()
})
