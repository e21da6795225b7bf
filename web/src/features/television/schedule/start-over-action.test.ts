import type { Channel, Programme } from '@ondine/contract/entities'
import { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { expect, test, vi } from 'vitest'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { startOverActions } from './start-over-action.ts'

const NOW = 10_000

vi.mock('../../ground/clock/browser-clock.ts', () => ({ serviceNow: () => NOW * 1000 }))

test.each([
  ['plays a programme from its beginning', {}, {}, ['/player?channel=3&t=8800']],
  ['is missing where the guide forbids it', { startoverEnabled: false }, {}, []],
  ['is missing before the programme begins', { startutc: NOW + 60 }, {}, []],
  ['is missing for a viewer who may not play the channel', {}, { isIncludedInUserOffers: false }, []],
])('V1-08 the action of a card %s', async (_what, programme, channel, expected) => {
  const queryClient = new QueryClient()
  const account = { id: 1, status: 'ACTIVE' }
  queryClient.setQueryData(sessionQuery.queryKey, { account, profile: null } as never)
  const rive: Partial<Channel> = {
    idChannel: 3,
    name: 'Rive',
    isIncludedInUserOffers: true,
    detailRoute: '',
    ottConfiguration: { startOver: true, timeshift: 3600 },
    ...channel,
  }
  queryClient.setQueryData(channelsQuery.queryKey, [rive] as never)
  const opened: string[] = []
  const router = {
    options: { context: { queryClient, words: { t: (key: string) => key } } },
    navigate: async ({ href }: { href: string }) => void opened.push(href),
  }
  const running = { id: 21, id_channel: 3, startutc: NOW - 1200, startoverEnabled: true, ...programme }
  const actions = await startOverActions(router as unknown as AnyRouter, running as Programme)
  for (const { act } of actions) await act()
  expect(opened).toEqual(expected)
})
