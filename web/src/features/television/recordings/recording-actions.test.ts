import type { Programme } from '@ondine/contract/entities'
import type { Recording, SeriesRecording } from '@ondine/contract/recordings'
import { QueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { recordingActions } from './recording-actions.ts'

const NOW = 10_000

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))
vi.mock('../../ground/clock/browser-clock.ts', () => ({ serviceNow: () => NOW * 1000 }))
vi.mock('../../ground/notices/notice.ts', () => ({ notify: vi.fn<() => void>() }))

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()
beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  fetched.mockReset()
  vi.unstubAllGlobals()
})

const PROGRAMME = {
  id: 21,
  id_channel: 3,
  title: 'Le Mag',
  subtitle: '',
  startutc: NOW - 1200,
  endutc: NOW + 1200,
  npvrEnabled: true,
  idAsset: null,
  direct_metadata: {},
}

/** Returns the actions in the menu of a programme, by text. */
async function actionsOf(
  programme: Partial<Programme>,
  {
    recordings = [],
    series = [],
    allowRecording = true,
  }: { recordings?: Partial<Recording>[]; series?: Partial<SeriesRecording>[]; allowRecording?: boolean },
) {
  fetched.mockImplementation(async (path) => {
    const answers: Record<string, unknown> = {
      '/npvr/0': { count: recordings.length, records: recordings },
      '/npvr/series': series,
      '/identity/0/quota': { npvr: { consumed: 0, available: 0, planned: 0, running: 0 } },
    }
    return Response.json({ status: true, result: answers[path.split('?')[0] ?? ''] ?? {} })
  })
  const queryClient = new QueryClient()
  const account = { id: 1, status: 'ACTIVE' }
  queryClient.setQueryData(sessionQuery.queryKey, { account, profile: null } as never)
  const channel = {
    idChannel: 3,
    name: 'Rive',
    isIncludedInUserOffers: true,
    detailRoute: '',
    item: { allowRecording },
  }
  queryClient.setQueryData(channelsQuery.queryKey, [channel] as never)
  const words = { t: (key: string) => key }
  const router = { options: { context: { queryClient, words } } } as unknown as AnyRouter
  const actions = await recordingActions(router, { ...PROGRAMME, ...programme } as Programme)
  return new Map(actions.map((action) => [action.text, action]))
}

test('A2.4-03 a recording that was stopped can be taken up again while its programme runs', async () => {
  const stopped = { id: 7, idEvent: 21, state: 'recorded', startutc: NOW - 1200, endutc: NOW + 1200 } as const
  const actions = await actionsOf({}, { recordings: [stopped] })
  await actions.get('recordings.recordOf')?.act()
  const made = fetched.mock.calls.flatMap(([path, { method, body }]) =>
    method === 'POST' && body instanceof URLSearchParams ? [[path, body.get('idEvent')]] : [],
  )
  expect(made).toEqual([['/npvr/0', '21']])
  const over = { startutc: NOW - 2400, endutc: NOW }
  expect([...(await actionsOf(over, { recordings: [{ ...stopped, ...over }] })).keys()]).toEqual([])
})

test.each<[string, Partial<Programme>, boolean]>([
  ['an episode number', { direct_metadata: { ...PROGRAMME.direct_metadata, AD_SERIESEP: 2 } }, true],
  ['a subtitle of the guide', { subtitle: 'La plume' }, true],
  ['only a title', {}, false],
])('a programme with %s can be recorded as a series', async (_, programme, isEpisode) => {
  expect((await actionsOf(programme, {})).has('recordings.series')).toBe(isEpisode)
})

test.each([
  ['its channel', 3, true],
  ['any channel', null, true],
  ['another channel', 4, false],
])('a series that is recorded on %s', async (_, idChannel, isRecorded) => {
  // The service knows that the programme belongs to the series, also if its title is another.
  const series = [{ id: 5, title: 'The Mag', idChannel }]
  const actions = await actionsOf({ subtitle: 'La plume' }, { series })
  expect(actions.has('recordings.seriesChangeOf')).toBe(isRecorded)
  expect(actions.has('recordings.series')).toBe(!isRecorded)
  const asked = fetched.mock.calls.map(([path]) => new URL(path, 'http://ondine.test'))
  const rules = asked.find(({ pathname }) => pathname === '/npvr/series')
  expect(rules?.searchParams.get('idEvent')).toBe('21')
})

test('A2.4-03 the rest of a programme that the guide has lengthened can be recorded', async () => {
  const short = { id: 7, idEvent: 21, state: 'recorded', startutc: NOW - 1200, endutc: NOW - 60 } as const
  expect((await actionsOf({}, { recordings: [short] })).has('recordings.recordOf')).toBe(true)
  expect((await actionsOf({ endutc: NOW }, { recordings: [short] })).has('recordings.recordOf')).toBe(false)
})

test('A7.3-09 a channel that does not allow recording has no action to record', async () => {
  expect((await actionsOf({}, { allowRecording: false })).size).toBe(0)
})
