import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { ERRORS } from '@ondine/contract/errors'
import type { SeriesRecording } from '@ondine/contract/recordings'
import { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { modal } from '../../../modals/modal.ts'
import type { ModalState, SeriesRuleChoice } from '../../../modals/modal-kinds.ts'
import { configurationQuery } from '../../ground/configuration/configuration-query.ts'
import { type Notice, notify } from '../../ground/notices/notice.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { record, remove, removeMany, retry } from './record.ts'
import { quotaQuery, recordingsQuery, seriesQuery } from './recordings-query.ts'
import { changeSeries, offerSeries, recordSeries, removeSeries } from './series.ts'

vi.mock('@tanstack/react-start', () => ({
  // Selects the browser's implementation.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

vi.mock('../../ground/notices/notice.ts', () => ({ notify: vi.fn<(notice: Notice) => void>() }))

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()
const texts: unknown = (key: string, values?: { title?: string }) =>
  values?.title === undefined ? key : `${key} ${values.title}`
const t = texts as TFunction
const NAME = { title: 'Encre', subtitle: 'La plume', season: 1, episode: 2 }
const CHILD = {
  id: 2,
  name: 'Gaspard',
  language: 'fra',
  picture: null,
  avatarId: null,
  imageId: null,
  kidProfile: true,
  parentalControl: false,
  default: false,
  maximumMoralityLevel: 1,
  settings: {},
} as const
const NEXT = { idEvent: 21, idChannel: 3, channel: 'Rive', startutc: 2000 }

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  fetched.mockReset()
  vi.mocked(notify).mockReset()
  vi.unstubAllGlobals()
})

/**
 * Answers all calls with an outcome, except the calls in `refusals`. Its keys are methods and paths, and its values
 * are the errors that these calls get.
 */
function answer(refusals: Record<string, keyof typeof ERRORS> = {}, outcome = 'deleted'): void {
  fetched.mockImplementation(async (path, { method = 'GET' }) => {
    const error = refusals[`${method} ${path}`]
    if (error === undefined) return Response.json({ status: true, result: { outcome } })
    const { code, status, text } = ERRORS[error]
    return Response.json({ status: false, error: { code, message: text.fra } }, { status })
  })
}

/** Returns the calls that were made, as method and path. */
const made = () => fetched.mock.calls.map(([path, { method = 'GET' }]) => `${method} ${path}`)

function queriesOf({
  isChild = false,
  sold = {},
}: {
  isChild?: boolean
  sold?: Partial<Configuration['offers']>
} = {}): QueryClient {
  const queries = new QueryClient()
  const storefront = { name: 'Ondine', demonstration: false }
  const profile = isChild ? CHILD : null
  queries.setQueryData(sessionQuery.queryKey, { account: null, profile, storefront, now: 0 })
  const { offers, ...rest } = DEFAULT_CONFIGURATION
  const configuration = { ...rest, offers: { ...offers, subscription: 'enabled' as const, ...sold } }
  queries.setQueryData(configurationQuery.queryKey, { configuration, revisions: {}, tag: '' })
  return queries
}

test('A2.4-03 the next showing takes the place of a recording in one call', async () => {
  answer()
  await retry(queriesOf(), { id: 7, next: NEXT }, t)
  expect(made()).toEqual(['POST /npvr/0'])
  const body = fetched.mock.calls[0]?.[1].body
  expect(body instanceof URLSearchParams && body.get('replaces')).toBe('7')
})

test('A2.4-04 a recording stays when there is no time for the next showing, and the viewer wants no offer', async () => {
  answer({ 'POST /npvr/0': 'recordingQuotaReached' })
  const retried = retry(queriesOf(), { id: 7, next: NEXT }, t)
  await expect.poll(() => modal.current()?.type).toBe('quotaLimit')
  modal.dismiss()
  expect(await retried).toBeUndefined()
  expect(made()).toEqual(['POST /npvr/0'])
})

/** Returns the intents that the calls contain. */
const intents = () =>
  fetched.mock.calls.map(([, { body }]) => body instanceof URLSearchParams && body.get('intent'))

test.each([
  ['planned', 'end'],
  ['recording', 'end'],
  ['recordingPlaying', 'end'],
  ['recorded', 'delete'],
  ['playing', 'delete'],
  ['played', 'delete'],
  ['failed', 'delete'],
] as const)('A2.4-03 the button of a recording that is %s says %s', async (state, intent) => {
  answer()
  await remove(queriesOf(), { ...NAME, id: 7, state }, t)
  await removeMany(queriesOf(), [{ ...NAME, id: 8, state }], t)
  expect(intents()).toEqual([intent, intent])
})

test('a recording that ended before it was stopped is kept, and there is nothing to undo', async () => {
  answer({}, 'kept')
  await remove(queriesOf(), { ...NAME, id: 7, state: 'recording' }, t)
  expect(vi.mocked(notify).mock.calls).toEqual([
    [{ text: 'recordings.kept Encre · meta.episode · La plume' }],
  ])
})

/** Returns whether the cached recordings are fetched again when a page shows them. */
const isStale = (queries: QueryClient) =>
  queries.getQueryState(recordingsQuery.queryKey)?.isInvalidated === true

/** Returns a client that has recordings in its cache. */
function queriesWithList(): QueryClient {
  const queries = queriesOf()
  queries.setQueryData(recordingsQuery.queryKey, { count: 0, records: [] })
  return queries
}

test('a recording that was removed in another window disappears here when its removal is refused', async () => {
  answer({ 'DELETE /npvr/0/7': 'notFound' })
  const queries = queriesWithList()
  await expect(remove(queries, { ...NAME, id: 7, state: 'planned' }, t)).rejects.toThrow()
  expect(isStale(queries)).toBe(true)
  expect(notify).not.toHaveBeenCalled()
})

test('the undo of several brings back those that it can, and says that one is gone', async () => {
  answer({ 'POST /npvr/0/8/restore': 'notFound' })
  const queries = queriesWithList()
  await removeMany(
    queries,
    [7, 8, 9].map((id) => ({ ...NAME, id, state: 'recorded' as const })),
    t,
  )
  const undo = vi.mocked(notify).mock.calls[0]?.[0]?.offer
  queries.setQueryData(recordingsQuery.queryKey, { count: 0, records: [] })
  await expect(undo?.act()).rejects.toMatchObject({ code: ERRORS.notFound.code })
  expect(made().slice(3)).toEqual([7, 8, 9].map((id) => `POST /npvr/0/${id}/restore`))
  expect(isStale(queries)).toBe(true)
})

test('several recordings that ended before they were stopped are kept, which one message says', async () => {
  answer({}, 'kept')
  const some = [7, 8].map((id) => ({ ...NAME, id, state: 'recording' as const }))
  await removeMany(queriesOf(), some, t)
  expect(vi.mocked(notify).mock.calls).toEqual([[{ text: 'recordings.keptMany' }]])
})

test('many recordings are removed by a few calls at a time, and their undo likewise', async () => {
  let open = 0
  let most = 0
  fetched.mockImplementation(async () => {
    most = Math.max(most, ++open)
    await Promise.resolve()
    open--
    return Response.json({ status: true, result: { outcome: 'deleted' } })
  })
  const ids = Array.from({ length: 50 }, (_, index) => index + 1)
  const queries = queriesWithList()
  await removeMany(
    queries,
    ids.map((id) => ({ ...NAME, id, state: 'recorded' as const })),
    t,
  )
  await vi.mocked(notify).mock.calls[0]?.[0]?.offer?.act()
  const once = (call: string) => ids.map((id) => call.replace('#', String(id)))
  expect(made()).toEqual([...once('DELETE /npvr/0/#'), ...once('POST /npvr/0/#/restore')])
  expect(most).toBe(4)
})

describe('a rule that keeps fewer recordings of a series than there are', () => {
  const RULE = { episodes: 'all', anyChannel: false, keepLast: 3 } as const
  const SERIES: SeriesRecording = {
    id: 4,
    title: 'Encre',
    episodes: 'all',
    idChannel: 3,
    channel: 'Rive',
    keepLast: null,
    recorded: 5,
    recordedOnAny: 9,
    isFull: false,
  }
  /** Answers the dialog of a series, and then the question about deletions. Returns the description of the question. */
  async function decide(rule: SeriesRuleChoice, mayDelete: boolean): Promise<string | undefined> {
    await expect.poll(() => modal.current()?.type).toBe('recordSeries')
    modal.answer(modal.current() as ModalState<'recordSeries'>, rule)
    await expect.poll(() => modal.current()?.type).toBe('confirm')
    const question = modal.current() as ModalState<'confirm'>
    modal.answer(question, mayDelete)
    return question.description
  }
  const saved = () => made().filter((call) => !call.startsWith('GET'))
  const counted: unknown = (key: string, values?: { count?: number }) => `${key} ${values?.count}`
  const counting = counted as TFunction
  beforeEach(() => {
    fetched.mockImplementation(async (path, { method = 'GET' }) => {
      const quota = { consumed: 0, available: 0, planned: 0, running: 0 }
      const isList = method === 'GET' && path.startsWith('/npvr/series')
      const series = isList ? [SERIES] : SERIES
      return Response.json({ status: true, result: path.includes('quota') ? { npvr: quota } : series })
    })
  })

  test.each([
    [false, 2],
    [true, 6],
  ])('is saved after the viewer has allowed the deletion (any channel: %s)', async (anyChannel, count) => {
    const changed = changeSeries(queriesOf(), SERIES, counting)
    expect(await decide({ ...RULE, anyChannel }, true)).toBe(`recordings.seriesDeletes ${count}`)
    await changed
    expect(saved()).toEqual(['PUT /npvr/series/4'])
  })

  test('is not saved if the viewer wants to keep the recordings', async () => {
    const changed = changeSeries(queriesOf(), SERIES, counting)
    await decide(RULE, false)
    await changed
    expect(saved()).toEqual([])
  })

  test('also counts when it replaces the rules for other channels', async () => {
    const programme = { id: 21, id_channel: 8, title: 'Encre' }
    const recorded = recordSeries(queriesOf(), programme, { name: 'Phare' }, counting)
    const question = await decide({ ...RULE, anyChannel: true }, true)
    expect(question).toBe('recordings.seriesDeletes 6')
    await recorded
    expect(saved()).toEqual(['POST /npvr/series'])
  })
})

test.each([
  ['an episode', { AD_SERIESEP: 2 }, [], ['recordings.episodeRecorded Encre']],
  ['an episode of a series that is recorded', { AD_SERIESEP: 2 }, [{ idChannel: null }], []],
  ['a film', {}, [], []],
])(
  'after the recording of %s, the viewer is offered its series',
  async (_what, direct_metadata, rules, told) => {
    fetched.mockImplementation(async () => Response.json({ status: true, result: rules }))
    const programme = { id: 21, id_channel: 3, title: 'Encre', subtitle: '', idAsset: 5, direct_metadata }
    await offerSeries(queriesOf(), programme, { name: 'Rive' }, t, async () => {})
    expect(vi.mocked(notify).mock.calls.map(([notice]) => notice?.text)).toEqual(told)
  },
)

test('the undo of one recording names its episode, because its series has others', async () => {
  answer()
  const text = 'recordings.deleted Encre · meta.episode · La plume'
  await remove(queriesOf(), { ...NAME, id: 7, state: 'recorded' }, t)
  await removeMany(queriesOf(), [{ ...NAME, id: 8, state: 'recorded' }], t)
  expect(vi.mocked(notify).mock.calls.map(([notice]) => notice?.text)).toEqual([text, text])
})

test('the end of a series can be undone, and both fetch the recordings again', async () => {
  answer()
  const queries = queriesWithList()
  await removeSeries(queries, { id: 4, title: 'Encre' }, t)
  expect(isStale(queries)).toBe(true)
  const undo = vi.mocked(notify).mock.calls[0]?.[0]?.offer
  queries.setQueryData(recordingsQuery.queryKey, { count: 0, records: [] })
  await undo?.act()
  expect(made()).toEqual(['DELETE /npvr/series/4', 'POST /npvr/series/4/restore'])
  expect(isStale(queries)).toBe(true)
})

test('each change fetches the recordings, the series and the recording time again', async () => {
  answer()
  const queries = queriesWithList()
  const shown = [recordingsQuery, seriesQuery, quotaQuery].map(({ queryKey }) => queryKey)
  for (const key of shown) queries.setQueryData(key, [])
  await record(queries, { id: 21, id_channel: 3 }, t)
  expect(shown.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, true, true])
})

test.each([
  ['recordingQuotaReached', 'recordings.full'],
  ['quotaContextNotFound', 'recordings.noHoursOfChild'],
] as const)('A2.4-04 a child learns about %s without an offer', async (error, description) => {
  answer({ 'POST /npvr/0': error })
  const recorded = record(queriesOf({ isChild: true }), { id: 21, id_channel: 3 }, t)
  await expect.poll(() => modal.current()?.type).toBe('alert')
  expect(modal.current()).toMatchObject({ description })
  modal.dismiss()
  expect(await recorded).toBeUndefined()
})

test.each([
  ['recordingQuotaReached', 'recordings.fullTitle', 'recordings.fullWithoutOffers'],
  ['quotaContextNotFound', 'recordings.noHoursTitle', 'recordings.noHoursWithoutOffers'],
] as const)(
  'A2.4-04 A2.2-02 without the screen of offers, a viewer learns about %s without an offer',
  async (error, title, description) => {
    answer({ 'POST /npvr/0': error })
    const recorded = record(queriesOf({ sold: { isOfferScreenEnable: false } }), { id: 21, id_channel: 3 }, t)
    await expect.poll(() => modal.current()?.type).toBe('alert')
    expect(modal.current()).toMatchObject({ title, description })
    modal.dismiss()
    expect(await recorded).toBeUndefined()
  },
)

test('A2.4-04 a viewer whose plan has no recording is not told that the space is full', async () => {
  answer({ 'POST /npvr/0': 'quotaContextNotFound' })
  const recorded = record(queriesOf(), { id: 21, id_channel: 3 }, t)
  await expect.poll(() => modal.current()?.type).toBe('quotaLimit')
  expect(modal.current()).toMatchObject({
    title: 'recordings.noHoursTitle',
    description: 'recordings.noHours',
  })
  modal.dismiss()
  await recorded
})

test('a viewer learns why a programme that is mostly gone is not recorded, and keeps the failed recording', async () => {
  answer({ 'POST /npvr/0': 'noMediaFound' })
  const recorded = retry(queriesOf(), { id: 7, next: NEXT }, t)
  await expect.poll(() => modal.current()?.type).toBe('alert')
  expect(modal.current()).toMatchObject({ description: 'recordings.missing' })
  modal.dismiss()
  expect(await recorded).toBeUndefined()
  expect(made()).toEqual(['POST /npvr/0'])
})
