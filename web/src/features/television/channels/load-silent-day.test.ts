import type { Programme } from '@ondine/contract/entities'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import type * as call from '../../../api/call.ts'
import { dayQuery } from '../../content/line-up/queries.ts'
import { loadSilentDay } from './load-silent-day.ts'

const asked = vi.hoisted(() => vi.fn<typeof call.call>())
vi.mock('../../../api/call.ts', async (original) => ({ ...(await original<typeof call>()), call: asked }))

const MIDNIGHT = Date.parse('2026-11-20T23:00:00Z') / 1000
const AT = { id: 3, now: MIDNIGHT + 7200, timeZone: 'Europe/Paris' }
const SILENT = { previous: undefined, current: undefined, next: undefined }

beforeEach(() => void asked.mockReset())

test('the page of a silent channel has the day of the channel, in the time zone of the page', async () => {
  const day = { chan_3: [] }
  asked.mockResolvedValue(day)
  const queries = new QueryClient()
  await loadSilentDay(queries, SILENT, AT)
  expect(queries.getQueryData(dayQuery(MIDNIGHT, 24, 3).queryKey)).toEqual(day)
})

test.each(['current', 'next'])(
  'the page of a channel with a %s programme does not ask for the day',
  async (which) => {
    await loadSilentDay(new QueryClient(), { ...SILENT, [which]: {} as Programme }, AT)
    expect(asked).not.toHaveBeenCalled()
  },
)
