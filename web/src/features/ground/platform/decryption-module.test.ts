import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const request = vi.fn<(system: string, wanted: MediaKeySystemConfiguration[]) => Promise<unknown>>()

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('navigator', { requestMediaKeySystemAccess: request })
})
afterEach(() => {
  vi.unstubAllGlobals()
  request.mockReset()
})

test('V4-27 asks the browser once for video that is decrypted and decoded in hardware', async () => {
  request.mockResolvedValue({})
  const { hasHardwareSecurity } = await import('./decryption-module.ts')
  expect(await Promise.all([hasHardwareSecurity(), hasHardwareSecurity()])).toEqual([true, true])
  expect(request).toHaveBeenCalledOnce()
  const [system, [wanted] = []] = request.mock.lastCall ?? []
  expect([system, wanted?.videoCapabilities?.[0]?.robustness]).toEqual([
    'com.widevine.alpha',
    'HW_SECURE_ALL',
  ])
})

test('V4-27 a browser that refuses, or that has no decryption module, is software', async () => {
  request.mockRejectedValue(new DOMException('', 'NotSupportedError'))
  expect(await (await import('./decryption-module.ts')).hasHardwareSecurity()).toBe(false)
  vi.resetModules()
  vi.stubGlobal('navigator', {})
  expect(await (await import('./decryption-module.ts')).hasHardwareSecurity()).toBe(false)
})

test('V4-27 asks the browser once whether it decrypts FairPlay', async () => {
  request.mockResolvedValue({})
  const { hasFairPlay } = await import('./decryption-module.ts')
  expect(await Promise.all([hasFairPlay(), hasFairPlay()])).toEqual([true, true])
  expect(request).toHaveBeenCalledOnce()
  expect(request.mock.lastCall?.[0]).toBe('com.apple.fps')
})

test('V4-27 a browser that decrypts Widevine in hardware may have no FairPlay', async () => {
  request.mockImplementation(async (system) => {
    if (system !== 'com.widevine.alpha') throw new DOMException('', 'NotSupportedError')
  })
  const { hasFairPlay, hasHardwareSecurity } = await import('./decryption-module.ts')
  expect([await hasHardwareSecurity(), await hasFairPlay()]).toEqual([true, false])
})

test('V4-27 a browser may decrypt in hardware without storing such licences', async () => {
  request.mockImplementation(async (_system, [wanted]) => {
    if (wanted?.persistentState === 'required') throw new DOMException('', 'NotSupportedError')
  })
  const { hasHardwareSecurity } = await import('./decryption-module.ts')
  expect([await hasHardwareSecurity(), await hasHardwareSecurity('persistent-license')]).toEqual([
    true,
    false,
  ])
  expect(request.mock.lastCall?.[1][0]?.sessionTypes).toEqual(['persistent-license'])
})
