import { subscribePush, unsubscribePush } from '@ondine/contract/push'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../api/call.ts'
import { setActiveProfile } from '../../content/downloads/store.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { switchOn } from './push.ts'

const ENDPOINT = 'https://push.example/1'
const unsubscribe = vi.fn(async () => true)
const subscription = { endpoint: ENDPOINT, toJSON: () => ({ endpoint: ENDPOINT, keys: {} }), unsubscribe }
const pushManager = { subscribe: async () => subscription, getSubscription: async () => subscription }
/** Whether another profile uses the push subscription of the browser. */
let isUsedByOthers = false

vi.mock('../../../api/call.ts', () => ({
  call: vi.fn(async (operation: unknown) => (operation === unsubscribePush ? { isUsedByOthers } : null)),
}))
vi.mock('../../content/downloads/require-worker.ts', () => ({
  registerWorker: async () => undefined,
  requireWorker: async () => undefined,
}))
vi.mock('../../content/downloads/store.ts', () => ({ setActiveProfile: vi.fn() }))
vi.mock('../../ground/errors/report-fault.ts', () => ({ reportFault: vi.fn() }))
vi.mock('../../people/parental/ask-code.ts', () => ({ withParentalCode: vi.fn() }))

beforeEach(() => {
  vi.clearAllMocks()
  isUsedByOthers = false
  vi.stubGlobal('Notification', { requestPermission: async () => 'granted' })
  vi.stubGlobal('navigator', {
    serviceWorker: { ready: { pushManager }, getRegistration: async () => ({ pushManager }) },
  })
})

test('notifications are switched on for the profile with the proof of the parental code', async () => {
  vi.mocked(withParentalCode).mockImplementation(async (act) => await act('proof'))
  await switchOn(new QueryClient(), 'key', 7)
  expect(call).toHaveBeenCalledExactlyOnceWith(
    subscribePush,
    expect.objectContaining({ endpoint: ENDPOINT, parentalProof: 'proof' }),
  )
  expect(setActiveProfile).toHaveBeenCalledExactlyOnceWith(7)
  expect(unsubscribe).not.toHaveBeenCalled()
})

test('a viewer who enters no parental code leaves no subscription behind', async () => {
  vi.mocked(withParentalCode).mockResolvedValue(null)
  await switchOn(new QueryClient(), 'key', 7)
  expect(unsubscribe).toHaveBeenCalledOnce()
  expect(setActiveProfile).not.toHaveBeenCalled()
})

test('a refused call leaves no subscription behind, and is reported to the caller', async () => {
  vi.mocked(withParentalCode).mockRejectedValue(new Error('refused'))
  await expect(switchOn(new QueryClient(), 'key', 7)).rejects.toThrow('refused')
  expect(unsubscribe).toHaveBeenCalledOnce()
  expect(setActiveProfile).not.toHaveBeenCalled()
})

test('the subscription of another profile stays when the viewer enters no parental code', async () => {
  vi.mocked(withParentalCode).mockResolvedValue(null)
  isUsedByOthers = true
  await switchOn(new QueryClient(), 'key', 7)
  expect(unsubscribe).not.toHaveBeenCalled()
})
