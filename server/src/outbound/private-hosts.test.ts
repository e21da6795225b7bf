import { describe, expect, it } from 'vitest'
import { privateHosts } from './private-hosts.ts'

const NAMES: Record<string, string[]> = {
  'public.example': ['93.184.216.34'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.216.34', '192.168.1.4'],
  'six.example': ['fd00::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'nobody.example': [],
}
const look = async (host: string) => (NAMES[host] ?? []).map((address) => ({ address }))

describe('private hosts', () => {
  it('are hosts with any private address, but not hosts without an address', async () => {
    expect(await privateHosts(Object.keys(NAMES), [], { look })).toEqual(
      new Set(['inside.example', 'both.example', 'six.example', 'mapped.example']),
    )
  })

  it('exclude hosts that the operator allows by name or by range', async () => {
    expect(
      await privateHosts(Object.keys(NAMES), ['10.0.0.0/8', 'both.example', 'fd00::/8'], { look }),
    ).toEqual(new Set(['mapped.example']))
  })

  it('are resolved once each, within a time limit', async () => {
    const asked: string[] = []
    const slow = async (host: string) => {
      asked.push(host)
      return host === 'never.example' ? await new Promise<never>(() => undefined) : await look(host)
    }
    const hosts = ['inside.example', 'never.example', 'inside.example', 'six.example']
    expect(await privateHosts(hosts, [], { look: slow, patienceMs: 50 })).toEqual(
      new Set(['inside.example', 'six.example']),
    )
    expect(asked).toEqual(['inside.example', 'never.example', 'six.example'])
  })

  it('do not include hosts that no name server knows', async () => {
    expect(await privateHosts(['nobody.invalid'], [])).toEqual(new Set())
  })
})
