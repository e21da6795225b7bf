import { oauthToken, session } from '@ondine/contract/accounts'
import { redirectedKey } from '@ondine/contract/configuration-calls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startTestService, type TestService } from '../../../test/service.ts'
import { createAccount } from '../accounts/accounts.service.ts'

const PASSWORD = 'Ondine-2026!'

describe.each(DATABASES)('storefronts, on a database of kind %s', (kind) => {
  let service: TestService

  beforeAll(async () => {
    service = await startTestService(kind, { SIGN_IN_ATTEMPTS: 100 })
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
    // Of two networks the smaller one counts.
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
    'V7-32 "%s" is no address of a client',
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
    // In a header it is refused by another storefront; a cookie, which the browser sends by itself, counts as none.
    const elsewhere = { 'x-identity-key': 'quai' }
    expect((await service.call(session, {}, { ...elsewhere, 'x-auth-token': token })).status).toBe(401)
    const byCookie = await service.call(session, {}, { ...elsewhere, cookie: `ondine_account=${token}` })
    expect(byCookie.result).toMatchObject({ account: null, storefront: { name: 'Quai' } })
  })

  it('an unknown key is refused', async () => {
    const { status, error } = await service.call(session, {}, { 'x-identity-key': 'nobody' })
    expect([status, error.code]).toEqual([401, -401])
  })

  it.each([
    [{ apiKey: 'rive', name: 'Again' }, /already/],
    [{ apiKey: 'Big Letters', name: 'x' }, /no api key/],
    [{ apiKey: 'x', name: ' ' }, /name/],
    [{ apiKey: 'x', name: 'x', hosts: ['rive.test'] }, /another storefront/],
    [{ apiKey: 'x', name: 'x', hosts: ['a b'] }, /no host name/],
    [{ apiKey: 'x', name: 'x', networks: ['192.0.2.0/33'] }, /no network/],
    [{ apiKey: 'x', name: 'x', networks: ['300.0.2.0/8'] }, /no network/],
    [{ apiKey: 'x', name: 'x', networks: ['192.0.2.0/24'] }, /another storefront/],
  ])('%j is refused', async (wanted, reason) => {
    await expect(service.context.storefronts.create(wanted)).rejects.toThrow(reason)
    expect(service.context.storefronts.list()).toHaveLength(3)
  })
})
