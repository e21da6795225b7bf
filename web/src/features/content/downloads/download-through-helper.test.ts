import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import { notify } from '../../ground/notices/notice.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'
import { downloadThroughHelper } from './download-through-helper.ts'

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../../api/environment.ts', () => ({ environment: () => ({ identityKey: 'demo' }) }))
vi.mock('../../../modals/modal.ts', () => ({
  modal: { free: async () => undefined, open: vi.fn<() => Promise<boolean>>() },
}))
vi.mock('../../../words/fetch-words.ts', () => ({ pageWords: () => ({ t: (key: string) => key }) }))
vi.mock('../../ground/notices/notice.ts', () => ({ notify: vi.fn<() => void>() }))
vi.mock('../../people/parental/ask-code.ts', () => ({ withParentalCode: vi.fn() }))

const HELPER = { helperUrl: 'http://127.0.0.1:17890/download', helperInstallUrl: '/page/player' }
const FILM = { idAsset: 7, title: 'La Houle' }
const fetched = vi.fn<(address: string, init: RequestInit & { body: string }) => Promise<Response>>()

beforeEach(() => {
  vi.mocked(call).mockResolvedValue({ token: 'account', profileToken: 'profile', expiresIn: 600 })
  vi.mocked(withParentalCode).mockImplementation(async (act) => await act(undefined))
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('location', { origin: 'https://tv.test' })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.clearAllMocks()
})

test('A4.9-04 the local player gets the user token and the id of the asset in the body of a request', async () => {
  fetched.mockResolvedValue(new Response(null, { status: 202 }))
  await downloadThroughHelper(FILM, HELPER)
  const [address, { method, body, credentials }] = fetched.mock.lastCall ?? ['', { body: '' }]
  expect([address, method, credentials]).toEqual([HELPER.helperUrl, 'POST', 'omit'])
  expect(JSON.parse(body)).toEqual({
    service: 'https://tv.test',
    identityKey: 'demo',
    token: 'account',
    profileToken: 'profile',
    idAsset: 7,
  })
  expect(notify).toHaveBeenCalledOnce()
  expect(modal.open).not.toHaveBeenCalled()
})

test('A6-08 the local player gets the proof of the parental code, for which the page asks first', async () => {
  vi.mocked(withParentalCode).mockImplementation(async (act) => await act('proof'))
  fetched.mockResolvedValue(new Response(null, { status: 202 }))
  await downloadThroughHelper(FILM, HELPER)
  expect(vi.mocked(call).mock.lastCall?.[1]).toEqual({ idAsset: 7, parentalProof: 'proof' })
  expect(JSON.parse(fetched.mock.lastCall?.[1].body ?? '')).toMatchObject({ parentalProof: 'proof' })
})

test('A6-08 the local player gets nothing if the viewer does not enter the parental code', async () => {
  vi.mocked(withParentalCode).mockResolvedValue(null)
  await downloadThroughHelper(FILM, HELPER)
  expect(fetched).not.toHaveBeenCalled()
  expect(notify).not.toHaveBeenCalled()
  expect(modal.open).not.toHaveBeenCalled()
})

test.each([
  ['does not answer', async () => await Promise.reject(new TypeError('Failed to fetch'))],
  ['answers late', async () => await Promise.reject(new DOMException('', 'TimeoutError'))],
  ['refuses', async () => new Response(null, { status: 500 })],
  ['is another program', async () => new Response(null, { status: 404 })],
])('A4.9-04 the page offers to install the local player if it %s', async (_what, answer) => {
  fetched.mockImplementation(answer)
  await downloadThroughHelper(FILM, HELPER)
  expect(modal.open).toHaveBeenCalledExactlyOnceWith('download', { link: '/page/player' })
  expect(notify).not.toHaveBeenCalled()
})
