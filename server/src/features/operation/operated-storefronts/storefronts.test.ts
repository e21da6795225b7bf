import { oauthToken, session } from '@ondine/contract/accounts'
import { redirectedKey } from '@ondine/contract/configuration-calls'
import { ERRORS } from '@ondine/contract/errors'
import { listStorefronts, removeStorefront } from '@ondine/contract/storefront-calls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { MAIN_DB, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { createAccount } from '../../people/profiles/new-account.service.ts'
import { holdingsOf } from './remove-storefront.ts'

const PASSWORD = 'Ondine-2026!'

describe.each(MAIN_DB)('storefronts, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind, { SIGN_IN_ATTEMPTS: 100 }, { hasPages: true })
    const { storefronts, db } = service.context
    await storefronts.create({
      apiKey: 'rive',
      name: 'Rive',
      hosts: ['Rive.test'],
      networks: ['192.0.2.0/24', '2001:db8::/32'],
    })
    await storefronts.create({ apiKey: 'quai', name: 'Quai', networks: ['192.0.2.128/25', '203.0.113.7'] })
    const rive = storefronts.of('rive')
    await createAccount(db, rive?.id ?? 0, { email: 'camille@ondine.test', password: PASSWORD })
  })
  afterAll(async () => await service.remove())

  it.each([
    ['192.0.2.5', 'rive'],
    ['192.0.2.127', 'rive'],
    // If two networks contain the address, the smaller network applies.
    ['192.0.2.128', 'quai'],
    ['203.0.113.7', 'quai'],
    ['203.0.113.8', 'ondine'],
    ['2001:db8::1', 'rive'],
    ['2001:db9::1', 'ondine'],
    ['::ffff:192.0.2.5', 'rive'],
  ])('V7-32 a client at %s is led to the storefront %s', async (clientIp, apiKey) => {
    const { status, result } = await service.call(redirectedKey, { clientIp })
    expect([status, result]).toEqual([200, { apiKey }])
    const byCaller = await service.app.inject({ url: redirectedKey.path, remoteAddress: clientIp })
    expect(byCaller.json()).toEqual({ status: true, result: { apiKey } })
  })

  it.each(['', '192.0.2', '192.0.2.5/24', 'localhost', '2001:db8::g', '1.2.3.4; drop table'])(
    'V7-32 refuses "%s" as the address of a client',
    async (clientIp) => {
      const { status } = await service.call(redirectedKey, { clientIp })
      expect(status).toBe(400)
    },
  )

  it('each has accounts of its own', async () => {
    const grant = { username: 'camille@ondine.test', password: PASSWORD, grant_type: 'password' } as const
    expect((await service.call(oauthToken, grant)).status).toBe(401)
    const rive = { 'x-identity-key': 'rive' }
    const { status, result } = await service.call(oauthToken, grant, rive)
    expect(status).toBe(200)

    const token = result.access_token
    const asked = await service.call(session, {}, { ...rive, 'x-auth-token': token })
    expect(asked.result).toMatchObject({ account: { email: grant.username }, storefront: { name: 'Rive' } })
    // Another storefront rejects the token in a header. It ignores the token in a cookie, because browsers send
    // cookies automatically.
    const elsewhere = { 'x-identity-key': 'quai' }
    expect((await service.call(session, {}, { ...elsewhere, 'x-auth-token': token })).status).toBe(401)
    const byCookie = await service.call(session, {}, { ...elsewhere, cookie: `ondine_account=${token}` })
    expect(byCookie.result).toMatchObject({ account: null, storefront: { name: 'Quai' } })
  })

  describe('removing a storefront', () => {
    let operator: Tokens

    beforeAll(async () => {
      operator = (await buildersOf(service.context).operator()).tokens
    })

    const remove = async (apiKey: string, accounts: number) =>
      await service.call(removeStorefront, { apiKey, accounts }, operator)
    const keys = () => service.context.storefronts.list().map(({ apiKey }) => apiKey)

    /** Makes a storefront with two accounts and a configuration. */
    async function furnish(apiKey: string) {
      const { storefronts, configurations, db } = service.context
      const { id } = await storefronts.create({ apiKey, name: 'Brief', hosts: [`${apiKey}.test`] })
      await configurations.document(id).replace(0, { brand: { name: 'Brief' } }, { author: 'x', reason: '' })
      const emails = ['zoe@ondine.test', 'luc@ondine.test']
      for (const email of emails) await createAccount(db, id, { email, password: PASSWORD })
      const grant = { username: emails[0] ?? '', password: PASSWORD, grant_type: 'password' } as const
      const token = (await service.call(oauthToken, grant, { 'x-identity-key': apiKey })).result.access_token
      return { id, grant, token }
    }

    it('needs the number of accounts that was reported before', async () => {
      const { grant, token } = await furnish('brief')
      const listed = (await service.call(listStorefronts, {}, operator)).result
      expect(listed.find(({ apiKey }) => apiKey === 'brief')).toMatchObject({
        isFirst: false,
        hosts: ['brief.test'],
        holds: { accounts: 2, profiles: 2, texts: 0, revisions: 1 },
      })
      expect((await remove('brief', 1)).error.code).toBe(ERRORS.conflict.code)
      expect(keys()).toContain('brief')
      expect(await remove('brief', 2)).toMatchObject({ status: 200, result: { accounts: 2 } })
      expect(keys()).not.toContain('brief')
      // The removed storefront has no sign-ins and accepts none. Its accounts do not exist in other storefronts.
      const own = { 'x-identity-key': 'brief' }
      expect((await service.call(oauthToken, grant, own)).status).toBe(401)
      expect((await service.call(oauthToken, grant)).status).toBe(401)
      expect((await service.call(session, {}, { 'x-auth-token': token })).status).toBe(401)
      // A new storefront can use the name and the host of the removed storefront.
      expect((await furnish('brief')).id).toBeGreaterThan(0)
      expect((await remove('brief', 2)).status).toBe(200)
    })

    it('is possible by a command, which first only reports what would be lost', async () => {
      await furnish('brief')
      const said = await runCommand(service, 'storefronts remove', ['brief'])
      expect(said).toMatch(/accounts: 2, with profiles: 2/)
      expect(said).toMatch(/Nothing was removed/)
      await expect(runCommand(service, 'storefronts remove', ['brief'], { accounts: '7' })).rejects.toThrow(
        /2/,
      )
      expect(keys()).toContain('brief')
      expect(await runCommand(service, 'storefronts remove', ['brief'], { accounts: '2' })).toMatch(/Removed/)
      expect(keys()).not.toContain('brief')
    })

    it('is refused for the first storefront and for unknown ones', async () => {
      const [first = ''] = keys()
      const { accounts } = await holdingsOf(service.context.db, service.context.storefronts.first().id)
      expect((await remove(first, accounts)).status).toBe(400)
      expect((await remove('nowhere', 0)).status).toBe(404)
      await expect(runCommand(service, 'storefronts remove', [first])).rejects.toThrow(/first/)
      await expect(runCommand(service, 'storefronts remove', ['nowhere'])).rejects.toThrow(/no storefront/)
      expect(keys()).toContain(first)
    })

    it('leaves the other storefronts unchanged', async () => {
      const { db, storefronts } = service.context
      const before = await holdingsOf(db, storefronts.of('rive')?.id ?? 0)
      await furnish('brief')
      expect((await remove('brief', 2)).status).toBe(200)
      expect(await holdingsOf(db, storefronts.of('rive')?.id ?? 0)).toEqual(before)
    })
  })

  describe('changing a storefront', () => {
    const set = async (apiKey: string, options: Record<string, string>) =>
      await runCommand(service, 'storefronts set', [apiKey], options)
    /** Returns the storefront of a page. */
    const shownAt = async (host: string, remoteAddress = '203.0.113.99') => {
      const headers = { host, accept: 'text/html' }
      const page = await service.app.inject({ url: '/', headers, remoteAddress })
      return page.json<{ identityKey: string }>().identityKey
    }
    const nameOf = async (apiKey: string) =>
      (await service.app.inject({ url: `/configuration/${apiKey}/data/brand.json` })).json().name

    it('V7-32 replaces its hosts and networks, and keeps what no option names', async () => {
      await runCommand(service, 'storefronts create', ['port', 'Port'], { hosts: 'a.test, b.test' })
      expect(await set('port', { hosts: 'B.test', networks: '198.51.100.0/24' })).toBe(
        'Changed the storefront port.',
      )
      expect([await shownAt('b.test'), await shownAt('a.test')]).toEqual(['port', 'ondine'])
      expect(await shownAt('a.test', '198.51.100.1')).toBe('port')
      await set('port', { networks: '' })
      expect([await shownAt('b.test'), await shownAt('a.test', '198.51.100.1')]).toEqual(['port', 'ondine'])
      await set('port', { hosts: '' })
      expect(await shownAt('b.test')).toBe('ondine')
    })

    it('V7-32 gives the first storefront a host, whatever the network of the client', async () => {
      await set('port', { networks: '127.0.0.0/8' })
      expect(await shownAt('tv.test', '127.0.0.1')).toBe('port')
      await set('ondine', { hosts: 'tv.test' })
      expect(await shownAt('tv.test', '127.0.0.1')).toBe('ondine')
    })

    it('shows viewers its new name', async () => {
      const { headers } = await service.app.inject({ url: '/configuration/port/data/revisions.json' })
      expect(await nameOf('port')).toBe('Port')
      await set('port', { name: 'Harbour' })
      expect(await nameOf('port')).toBe('Harbour')
      const changed = await service.app.inject({
        url: '/configuration/port/data/revisions.json',
        headers: { 'if-none-match': headers.etag },
      })
      expect(changed.statusCode).toBe(200)
      expect(await runCommand(service, 'storefronts list')).toContain('port: Harbour (127.0.0.0/8)')
    })

    it.each([
      ['port', {}, /Give a name/],
      ['port', { name: '' }, /name/],
      ['port', { hosts: 'rive.test' }, /another storefront/],
      ['port', { hosts: 'a b' }, /is not a host name/],
      ['port', { networks: '192.0.2.0/33' }, /is not a network/],
      ['port', { networks: '192.0.2.0/24' }, /another storefront/],
      ['nowhere', { name: 'x' }, /no storefront/],
    ])('refuses %s %j', async (apiKey, options, reason) => {
      await expect(set(apiKey, options)).rejects.toThrow(reason)
    })

    it('ends with its removal', async () => {
      await runCommand(service, 'storefronts remove', ['port'], { accounts: '0' })
      expect(await shownAt('tv.test', '127.0.0.1')).toBe('ondine')
    })
  })

  it('an unknown api key is refused', async () => {
    const { status, error } = await service.call(session, {}, { 'x-identity-key': 'nobody' })
    expect([status, error.code]).toEqual([401, -401])
  })

  it.each([
    [{ apiKey: 'rive', name: 'Again' }, /already/],
    [{ apiKey: 'Big Letters', name: 'x' }, /is not an api key/],
    [{ apiKey: 'x', name: ' ' }, /name/],
    [{ apiKey: 'x', name: 'x', hosts: ['rive.test'] }, /another storefront/],
    [{ apiKey: 'x', name: 'x', hosts: ['a b'] }, /is not a host name/],
    [{ apiKey: 'x', name: 'x', networks: ['192.0.2.0/33'] }, /is not a network/],
    [{ apiKey: 'x', name: 'x', networks: ['300.0.2.0/8'] }, /is not a network/],
    [{ apiKey: 'x', name: 'x', networks: ['192.0.2.0/24'] }, /another storefront/],
  ])('%j is refused', async (wanted, reason) => {
    await expect(service.context.storefronts.create(wanted)).rejects.toThrow(reason)
    expect(service.context.storefronts.list()).toHaveLength(3)
  })
})
