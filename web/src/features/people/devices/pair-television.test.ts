import { casAvailableDevice, casDeviceCount } from '@ondine/contract/devices'
import { addMaterialByPairing } from '@ondine/contract/pairing'
import { PAIRING } from '@ondine/contract/pairing-code'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { call } from '../../../api/call.ts'
import { modal } from '../../../modals/modal.ts'
import { devicesQuery } from './devices-query.ts'
import { pairTelevision } from './pair-television.ts'

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))
vi.mock('../../../api/environment.ts', () => ({ environment: () => ({ language: 'fra' }) }))
vi.mock('../../../modals/modal.ts', () => ({ modal: { open: vi.fn() } }))
vi.mock('../../../words/fetch-words.ts', () => ({
  pageWords: () => ({ t: (key: string) => key, exists: () => true }),
}))

const PHONE = { casDeviceId: 1 }
const TELEVISION = { casDeviceId: 2 }

let devices = [PHONE]
let queries: QueryClient
let leave: () => void

beforeEach(async () => {
  vi.useFakeTimers()
  devices = [PHONE]
  vi.mocked(call).mockClear()
  vi.mocked(call).mockImplementation(async (operation): Promise<never> => {
    if (operation === casAvailableDevice) return devices as never
    if (operation === casDeviceCount) return { numberOfDevices: devices.length } as never
    if (operation === addMaterialByPairing) return null as never
    throw new Error(`The test answers no call ${operation.name}.`)
  })
  vi.mocked(modal.open).mockImplementation(async (_type, dialog): Promise<never> => {
    const { pair } = dialog as { pair: (code: string) => Promise<unknown> }
    return ((await pair('ABC234')) === null) as never
  })
  queries = new QueryClient()
  leave = new QueryObserver(queries, devicesQuery).subscribe(() => {})
  await vi.advanceTimersByTimeAsync(0)
})
afterEach(() => {
  leave()
  queries.clear()
  vi.useRealTimers()
})

const listed = () => queries.getQueryData<{ casDeviceId: number }[]>(devicesQuery.queryKey)
const asked = () =>
  vi.mocked(call).mock.calls.filter(([operation]) => operation === casAvailableDevice).length

test('A2.3-11 A4.7-02 the list shows a television that registers its device after the confirmation', async () => {
  const pairing = pairTelevision(queries)
  await vi.advanceTimersByTimeAsync(100)
  expect(listed()).toEqual([PHONE])
  devices = [PHONE, TELEVISION]
  await vi.advanceTimersByTimeAsync(PAIRING.pollMs)
  expect(listed()).toEqual([PHONE, TELEVISION])
  await pairing
})

test('A2.3-11 asks for the devices no longer than about ten seconds, and not after the page is left', async () => {
  await Promise.all([pairTelevision(queries), vi.advanceTimersByTimeAsync(60_000)])
  const most = asked()
  expect(most).toBeLessThan(8)
  const pairing = pairTelevision(queries)
  await vi.advanceTimersByTimeAsync(100)
  leave()
  const before = asked()
  await vi.advanceTimersByTimeAsync(60_000)
  await pairing
  expect(asked()).toBe(before)
})
