import type { Session } from '@ondine/contract/accounts'
import { ERRORS } from '@ondine/contract/errors'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../../api/api-error.ts'
import { sessionQuery } from '../../ground/session/session.ts'
import { signInAtService, signInAtServiceOnce } from './sign-in-at-service.ts'

type Answer = { optionIds: number[]; hasChanged: boolean }

const service = vi.hoisted(() => ({
  asked: [] as string[],
  answer: async (): Promise<Answer> => ({ optionIds: [], hasChanged: false }),
}))
vi.mock('../../../api/call.ts', () => ({
  call: async ({ name }: { name: string }) => {
    service.asked.push(name)
    return await service.answer()
  },
}))
const reported = vi.hoisted((): unknown[] => [])
vi.mock('../../ground/errors/report-fault.ts', () => ({
  reportFault: (fault: unknown) => void reported.push(fault),
}))

/** A query whose answer a purchase can change. */
const UNLOCKED = ['homeContent', {}]

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
  service.asked = []
  service.answer = async () => ({ optionIds: [], hasChanged: false })
  reported.length = 0
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Builds the queries of a page. By default, the viewer is an adult's profile of an active account. */
function pageOf({ account, profile }: { account?: object | null; profile?: object | null } = {}) {
  const queries = new QueryClient()
  queries.setQueryData(sessionQuery.queryKey, {
    account: account === null ? null : { id: 7, status: 'ACTIVE', ...account },
    profile: profile === null ? null : { id: 1, kidProfile: false, ...profile },
    // The code under test does not read the other fields of a session.
  } as Session)
  queries.setQueryData(UNLOCKED, 'locked')
  const isStale = () => queries.getQueryState(UNLOCKED)?.isInvalidated
  return { queries, isStale }
}

test('V4-02 a start signs in at the service once in a tab, and once more for another account', async () => {
  const { queries } = pageOf()
  await signInAtServiceOnce(queries)
  await signInAtServiceOnce(queries)
  expect(service.asked).toEqual(['refreshSubscriptions'])
  await signInAtServiceOnce(pageOf({ account: { id: 8 } }).queries)
  expect(service.asked).toHaveLength(2)
})

test('V4-02 a start that failed is tried again, and only reported', async () => {
  const { queries } = pageOf()
  const silence = new ApiError({ ...ERRORS.subscriptionServiceSilent, message: 'silent' })
  service.answer = async () => await Promise.reject(silence)
  await signInAtServiceOnce(queries)
  await signInAtServiceOnce(queries)
  expect(service.asked).toHaveLength(2)
  expect(reported).toEqual([silence, silence])
})

test.each([
  ['a visitor', { account: null, profile: null }],
  ['a viewer without a profile', { profile: null }],
  ['a child', { profile: { kidProfile: true } }],
  ['a suspended account', { account: { status: 'SUSPENDED' } }],
])('V4-02 A4.3-05 does not sign in %s', async (_who, viewer) => {
  const { queries } = pageOf(viewer)
  await signInAtServiceOnce(queries)
  await signInAtService(queries)
  expect(service.asked).toEqual([])
})

test('A4.3-05 each sign-in signs in at the service, also in a tab that has done so', async () => {
  const { queries } = pageOf()
  await signInAtServiceOnce(queries)
  await signInAtService(queries)
  expect(service.asked).toHaveLength(2)
})

test('A4.3-05 what the viewer sees is fetched again only if rights have changed', async () => {
  const { queries, isStale } = pageOf()
  await signInAtService(queries)
  expect(isStale()).toBe(false)
  service.answer = async () => ({ optionIds: [3], hasChanged: true })
  await signInAtService(queries)
  expect(isStale()).toBe(true)
})

test('A4.3-05 a sign-in waits 3 s for the service, and a later answer counts', async () => {
  vi.useFakeTimers()
  const { queries, isStale } = pageOf()
  let answer: (answer: Answer) => void = () => {}
  service.answer = async () =>
    await new Promise((resolve) => {
      answer = resolve
    })
  let isOver = false
  const signIn = async () => {
    await signInAtService(queries)
    isOver = true
  }
  const signedIn = signIn()
  await vi.advanceTimersByTimeAsync(2999)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await signedIn
  expect(isStale()).toBe(false)
  answer({ optionIds: [3], hasChanged: true })
  await vi.advanceTimersByTimeAsync(0)
  expect(isStale()).toBe(true)
})
