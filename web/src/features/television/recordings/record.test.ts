import { ERRORS } from '@ondine/contract/errors'
import { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { modal } from '../../../modals/modal.ts'
import { type Notice, notify } from '../../ground/notices/notice.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { remove, removeMany, retry } from './record.ts'
import { recordingsQuery } from './recordings-query.ts'

vi.mock('@tanstack/react-start', () => ({
  // Behaves as in the browser.
  createIsomorphicFn: () => ({ server: () => ({ client: (run: unknown) => run }) }),
}))
vi.mock('../../../api/environment.ts', () => ({
  environment: () => ({ language: 'fra', identityKey: 'demo' }),
}))

vi.mock('../../ground/notices/notice.ts', () => ({ notify: vi.fn<(notice: Notice) => void>() }))

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()
const t = ((key: string) => key) as TFunction
const NEXT = { idEvent: 21, idChannel: 3, channel: 'Rive', startutc: 2000 }

beforeEach(() => {
  vi.stubGlobal('fetch', fetched)
})
afterEach(() => {
  fetched.mockReset()
  vi.mocked(notify).mockReset()
  vi.unstubAllGlobals()
})

/** Answers all calls with an outcome, those of a key with its error. */
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

function queriesOf(): QueryClient {
  const queries = new QueryClient()
  const storefront = { name: 'Ondine', demonstration: false }
  queries.setQueryData(sessionQuery.queryKey, { account: null, profile: null, storefront, now: 0 })
  return queries
}

test.each(['failed', 'planned'] as const)(
  'A2.4-03 the next showing takes the place of a recording that is %s',
  async (state) => {
    answer()
    await retry(queriesOf(), { id: 7, state, next: NEXT }, t)
    expect(made()).toEqual(['POST /npvr/0', 'DELETE /npvr/0/7'])
  },
)

test.each(['recorded', 'recording', 'played', 'playing', 'recordingPlaying'] as const)(
  'a dropped programme that is %s stays when its next showing is recorded',
  async (state) => {
    answer()
    await retry(queriesOf(), { id: 7, state, next: NEXT }, t)
    expect(made()).toEqual(['POST /npvr/0'])
  },
)

test('A2.4-04 a recording stays when there is no time for the next showing, and the viewer wants no offer', async () => {
  answer({ 'POST /npvr/0': 'recordingQuotaReached' })
  const retried = retry(queriesOf(), { id: 7, state: 'failed', next: NEXT }, t)
  await expect.poll(() => modal.current()?.type).toBe('quotaLimit')
  modal.dismiss()
  expect(await retried).toBeUndefined()
  expect(made()).toEqual(['POST /npvr/0'])
})

/** Returns what the calls said that the viewer wants. */
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
  await remove(queriesOf(), { id: 7, title: 'Encre', state }, t)
  await removeMany(queriesOf(), [{ id: 8, state }], t)
  expect(intents()).toEqual([intent, intent])
})

test('a recording that ended before it was stopped is kept, and there is nothing to undo', async () => {
  answer({}, 'kept')
  await remove(queriesOf(), { id: 7, title: 'Encre', state: 'recording' }, t)
  expect(vi.mocked(notify).mock.calls).toEqual([[{ text: 'recordings.kept' }]])
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
  await expect(remove(queries, { id: 7, title: 'Encre', state: 'planned' }, t)).rejects.toThrow()
  expect(isStale(queries)).toBe(true)
  expect(notify).not.toHaveBeenCalled()
})

test('the undo of several brings back those that it can, and says that one is gone', async () => {
  answer({ 'POST /npvr/0/8/restore': 'notFound' })
  const queries = queriesWithList()
  await removeMany(
    queries,
    [7, 8, 9].map((id) => ({ id, state: 'recorded' as const })),
    t,
  )
  const undo = vi.mocked(notify).mock.calls[0]?.[0]?.undo
  queries.setQueryData(recordingsQuery.queryKey, { count: 0, records: [] })
  await expect(undo?.act()).rejects.toMatchObject({ code: ERRORS.notFound.code })
  expect(made().slice(3)).toEqual([7, 8, 9].map((id) => `POST /npvr/0/${id}/restore`))
  expect(isStale(queries)).toBe(true)
})
