import { askResetPassword } from '@ondine/contract/account-calls'
import { redirectedKey } from '@ondine/contract/configuration-calls'
import { describe, expect, it } from 'vitest'
import { startTestService } from './service.ts'

describe('a proxy that reports the ports of its clients', () => {
  it.each<[string, boolean | string[], (port: number) => string]>([
    ['IPv4', true, (port) => `198.51.100.7:${port}`],
    ['IPv6', true, (port) => `[2001:db8::7]:${port}`],
    ['several proxies', ['127.0.0.1', '10.0.0.0/8'], (port) => `198.51.100.7:${port}, 10.0.0.9:${port}`],
  ])('A8.3-06 does not hide repeated attempts of a client: %s', async (_what, TRUST_PROXY, reported) => {
    const service = await startTestService('embedded', { SIGN_IN_ATTEMPTS: 3, TRUST_PROXY })
    try {
      const codes: number[] = []
      for (let count = 0; count < 4; count++) {
        const headers = { 'x-forwarded-for': reported(49_152 + count) }
        codes.push((await service.call(askResetPassword, { email: 'c@ondine.test' }, headers)).error.code)
      }
      expect(codes).toEqual([0, 0, 0, -429])
    } finally {
      await service.remove()
    }
  })

  it('V7-32 does not hide the network of a client', async () => {
    const service = await startTestService('embedded', { TRUST_PROXY: true })
    try {
      const networks = ['198.51.100.0/24', '2001:db8::/32']
      await service.context.storefronts.create({ apiKey: 'campus', name: 'Campus', networks })
      const keyOf = async (address: string) =>
        (await service.call(redirectedKey, {}, { 'x-forwarded-for': address })).result.apiKey
      for (const address of ['198.51.100.7', '198.51.100.7:49152', '[2001:db8::7]:49152', '[2001:db8::7]'])
        expect(await keyOf(address)).toBe('campus')
      expect(await keyOf('203.0.113.7:49152')).not.toBe('campus')
    } finally {
      await service.remove()
    }
  })
})
