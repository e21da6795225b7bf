import { type CastMessage, castTo, type Screen } from '@ondine/contract/casting'
import { afterEach, expect, test, vi } from 'vitest'
import type { TargetState } from './cast-target.ts'
import { ownScreen } from './own-screens.ts'
import { REPORTED } from './test-screen.ts'

const { called, asked, followed } = vi.hoisted(() => ({
  followed: vi.fn<(options: { heard: (message: CastMessage) => void; ended: () => void }) => () => void>(),
  called: vi.fn<(operation: unknown, input: unknown) => Promise<null>>(),
  asked: vi.fn<(act: (proof: string | undefined) => Promise<unknown>) => Promise<unknown>>(),
}))
vi.mock('../../../api/call.ts', () => ({ call: called }))
vi.mock('../../../api/query.ts', () => ({ query: () => ({}) }))
vi.mock('../../people/parental/ask-code.ts', () => ({ withParentalCode: asked }))
vi.mock('./service-socket.ts', () => ({ followService: followed }))

afterEach(() => vi.resetAllMocks())

const media = {
  content: { kind: 'asset', id: 12 },
  startAt: 42,
  idAudioLang: 'fra',
  idSubtitleLang: 'non',
} as const

test('V4-52 a hand-over fails if the viewer does not enter the parental code', async () => {
  asked.mockResolvedValue(null)
  await expect(ownScreen(5).load(media, 'abc')).rejects.toMatchObject({ name: 'AbortError' })
  expect(called).not.toHaveBeenCalled()
})

test('V4-55 a hand-over carries the session of this device and the proof of the parental code', async () => {
  asked.mockImplementation(async (act) => await act('proof'))
  called.mockResolvedValue(null)
  await ownScreen(5).load(media, 'abc')
  expect(called.mock.calls).toEqual([
    [castTo, { casDeviceId: 5, media, session: 'abc', parentalProof: 'proof' }],
  ])
})

test('V1-06 a screen is gone once the service refuses the connection', () => {
  followed.mockReturnValue(() => {})
  const heard = vi.fn<(state: unknown) => void>()
  const unlisten = ownScreen(5).listen(heard)
  followed.mock.calls[0]?.[0].ended()
  expect(heard.mock.calls).toEqual([[null]])
  unlisten()
})

test('V4-51 V4-52 the position of a screen stays at its last report while the screen has no connection', () => {
  followed.mockReturnValue(() => {})
  const heard = vi.fn<(state: TargetState | null) => void>()
  const unlisten = ownScreen(5).listen(heard)
  const screen: Screen = { casDeviceId: 5, name: 'Salon', isConnected: true, current: false, state: REPORTED }
  const tell = (screens: Screen[]) => followed.mock.calls[0]?.[0].heard({ type: 'screens', screens })
  tell([screen])
  expect(heard.mock.lastCall?.[0]?.media).toEqual(REPORTED)
  tell([{ ...screen, isConnected: false }])
  expect(heard.mock.lastCall?.[0]).toEqual({
    device: 'Salon',
    isAvailable: false,
    media: { ...REPORTED, playback: 'paused' },
  })
  unlisten()
})
