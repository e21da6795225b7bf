import { ERRORS } from '@ondine/contract/errors'
import { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { modal } from '../../../modals/modal.ts'
import { type Notice, notify } from '../../ground/notices/notice.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { remove, removeMany, retry } from './record.ts'

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
