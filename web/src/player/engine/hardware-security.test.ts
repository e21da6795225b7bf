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
  const { hasHardwareSecurity } = await import('./hardware-security.ts')
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
  expect(await (await import('./hardware-security.ts')).hasHardwareSecurity()).toBe(false)
  vi.resetModules()
  vi.stubGlobal('navigator', {})
  expect(await (await import('./hardware-security.ts')).hasHardwareSecurity()).toBe(false)
})
