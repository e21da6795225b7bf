import { loginDevice, updatePassword } from '@ondine/contract/account-calls'
import { oauthToken, session } from '@ondine/contract/accounts'
import { casAddDevice, casAuth, casAvailableDevice, casDeviceCount } from '@ondine/contract/devices'
import { createProfile } from '@ondine/contract/profiles'
import { describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { testScene } from '../../../../test/scene.ts'
import { PHONE, screensOf } from '../../../../test/screens.ts'
import { DATABASES, type Tokens } from '../../../../test/service.ts'
import { setParentalCode, validateParentalCode } from '../parental/parental.service.ts'
import { requireProfile } from '../profiles/profiles.service.ts'
import { profileToken } from '../sign-in/tokens.ts'

const NEXT = 'Ondine-2027!'

describe.each(DATABASES)('devices, on a database of kind %s', (kind) => {
  let film: number
  const scene = testScene(kind, {
    prepared: async ({ make }) => {
      film = (await make.asset('La Houle')).id
    },
  })

  const { add, list, remove, on, play: playFilm } = screensOf(scene)
  const play = async (tokens: Tokens) => await playFilm(film, tokens)

  it('A3-13 A7.1-13 A7.1-15 registers a device by its browser and system, and recognises it', async () => {
    await add('computer-1')
    scene.service.clock.advance(5000)
    const phone = await on('telephone-1', { 'user-agent': PHONE })
    scene.service.clock.advance(5000)
    await add('computer-1', { 'user-agent': 'another' })
    const now = Math.floor(scene.service.clock.now() / 1000)
    expect(await list(phone)).toEqual([
      {
        uniqueDeviceId: 'computer-1',
        casDeviceId: expect.any(Number),
        name: 'Firefox 140, Linux',
        type: 'device_pc_linux',
        lastLoginDate: now,
        current: false,
      },
      expect.objectContaining({
        name: 'Safari 18, iOS',
        type: 'device_ios_phone',
        lastLoginDate: now - 5,
        current: true,
      }),
    ])
  })

  it('V7-34 A9-01 sets the cookie `device` for 365 days, and a token that scripts cannot read', async () => {
    const answer = await scene.service.app.inject({
      method: 'POST',
      url: '/proxy/casAddDevice',
      headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'deviceUniqueId=computer-1',
    })
    expect(answer.cookies).toMatchObject([
      { name: 'ondine_device', httpOnly: true, sameSite: 'Lax', maxAge: 365 * 86_400 },
      { name: 'device', value: 'computer-1', sameSite: 'Lax', maxAge: 365 * 86_400 },
    ])
    expect(answer.cookies[1]).not.toHaveProperty('httpOnly')
  })

  it('V7-03 accepts storefront, account, profile and device of a call in separate headers', async () => {
    const { service, actor } = scene
    const tokens: Tokens = {
      'x-identity-key': service.context.storefronts.first().apiKey,
      ...(await on('computer-1')),
    }
    const said = async (headers: Tokens) => {
      const { account, profile } = (await service.call(session, {}, headers)).result
      const devices = account ? await list(headers) : []
      return [account?.id, profile?.id, devices.find(({ current }) => current)?.uniqueDeviceId]
    }
    const without = (name: string) =>
      Object.fromEntries(Object.entries(tokens).filter(([header]) => header !== name))
    expect(await said(tokens)).toEqual([actor.account.id, actor.profileId, 'computer-1'])
    expect(await said(without('x-device-token'))).toEqual([actor.account.id, actor.profileId, undefined])
    expect(await said(without('x-profile-token'))).toEqual([actor.account.id, undefined, 'computer-1'])
    // Without the account token, the profile token and the device token have no effect.
    expect(await said(without('x-auth-token'))).toEqual([undefined, undefined, undefined])
    expect((await service.call(session, {}, { ...tokens, 'x-identity-key': 'elsewhere' })).error.code).toBe(
      -401,
    )
  })

  it('V7-03 prefers a device token in its header to the cookie, and ignores an invalid one', async () => {
    const computer = (await on('computer-1'))['x-device-token'] ?? ''
    const phone = (await on('telephone-1', { 'user-agent': PHONE }))['x-device-token'] ?? ''
    const others = await scene.make.actor()
    const stranger = (await add('computer-1', others.tokens)).result.deviceAuthToken
    const { tokens } = scene.actor
    const current = async (headers: Tokens) =>
      (await list({ ...tokens, ...headers })).flatMap((each) => (each.current ? each.uniqueDeviceId : []))
    const asCookie = (token: string) => ({ cookie: `ondine_device=${token}` })
    expect(await current({ 'x-device-token': phone })).toEqual(['telephone-1'])
    expect(await current(asCookie(computer))).toEqual(['computer-1'])
    expect(await current({ 'x-device-token': phone, ...asCookie(computer) })).toEqual(['telephone-1'])
    expect(await current({})).toEqual([])
    for (const wrong of [
      `${computer}x`,
      stranger,
      tokens['x-auth-token'] ?? '',
      tokens['x-profile-token'] ?? '',
    ])
      expect(await current({ 'x-device-token': wrong }), wrong).toEqual([])
    // A device token alone grants no access. It can only renew an account token.
    expect((await scene.service.call(casAvailableDevice, {}, { 'x-auth-token': computer })).error.code).toBe(
      -1,
    )
    expect((await scene.service.call(casAvailableDevice, {}, { 'x-device-token': computer })).status).toBe(
      401,
    )
  })

  it('A7.1-14 counts devices, and answers -411 at the limit, also for concurrent registrations', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumDevices': 2 })
    const ids = ['device-a', 'device-b', 'device-c', 'device-d']
    const answers = await Promise.all(ids.map(async (each) => await add(each)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const refused = answers.find(({ status }) => status !== 200)
    expect([refused?.status, refused?.error.code]).toEqual([403, -411])
    const counted = await scene.service.call(casDeviceCount, {}, scene.actor.tokens)
    expect(counted.result).toEqual({ numberOfDevices: 2, maxNumberOfDevices: 2 })
    // A registered device can register again. After one device was removed, a new device can register.
    const [known, other] = await list()
    expect((await add(known!.uniqueDeviceId)).status).toBe(200)
    await remove(other!.casDeviceId)
    expect((await add('device-e')).status).toBe(200)
    await configuration.undo()
  })

  it('A7.1-16 names a device', async () => {
    await add('computer-1')
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    const named = { casDeviceId, name: 'Salon', type: 'device_tv' } as const
    expect((await scene.service.call(casAuth, named, scene.actor.tokens)).result).toBeNull()
    expect(await list()).toMatchObject([{ name: 'Salon', type: 'device_tv' }])
  })

  it('A7.1-17 removes a device, and its playback token becomes invalid', async () => {
    const tokens = await on('computer-1')
    expect((await play(tokens)).status).toBe(200)
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    expect((await remove(casDeviceId)).result).toBeNull()
    // The notice that the sign-in has ended arrives a moment later. But a new playback session is refused at once,
    // because the device was removed.
    expect((await play(tokens)).status).toBeGreaterThanOrEqual(401)
    await expect
      .poll(async () => {
        const refused = await play(tokens)
        return [refused.status, refused.error.code]
      })
      .toEqual([401, -1])
    const again = await scene.signedIn(scene.actor.account.email)
    expect((await remove(casDeviceId, again)).status).toBe(404)
  })

  it('A6-05 a child may identify a known device, and registers none without the code', async () => {
    const { db, keys } = scene.service.context
    const { account } = scene.actor
    await add('browser-of-family')
    const lou = { name: 'Lou', language: 'fra', kidProfile: true, parentalControl: false } as const
    const made = await scene.service.call(
      createProfile,
      { ...lou, maximumMoralityLevel: 2 },
      scene.actor.tokens,
    )
    const kid = await requireProfile(db, account.id, made.result.id)
    const child = { 'x-profile-token': profileToken(keys, kid, 3600) }
    expect((await add('browser-of-family', child)).status).toBe(200)
    const refused = await add('made-up-by-child', child)
    expect([refused.status, refused.error.code]).toEqual([403, -1612])
    expect(await list()).toHaveLength(1)
    await setParentalCode(scene.service.context.db, account.id, { code: '2580', current: undefined }, 0)
    const parentalProof = await validateParentalCode(scene.service.context, account.id, '2580', 0)
    const added = await scene.service.call(
      casAddDevice,
      { deviceUniqueId: 'added-by-parents', parentalProof },
      { ...scene.actor.tokens, ...child },
    )
    expect(added.status).toBe(200)
  })

  it('A4.7-01 removing the calling device clears its cookies', async () => {
    const tokens = await on('computer-1')
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    const answer = await scene.service.app.inject({
      method: 'POST',
      url: '/proxy/casRemoveDevice',
      headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `casDeviceId=${casDeviceId}`,
    })
    expect(answer.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['ondine_device', ''],
      ['device', ''],
    ])
  })

  it.each([
    ['asks for another token', loginDevice],
    ['is opened at a page', session],
  ] as const)(
    'A4.4-04 a browser that %s after the password was changed elsewhere loses its device, and registers again at the next sign-in',
    async (_what, { path }) => {
      const others = await scene.make.actor()
      await scene.service.call(casAddDevice, { deviceUniqueId: 'kept-elsewhere' }, others.tokens)
      const browser = await add('a-browser')
      scene.service.clock.advance(60_000)
      const username = scene.actor.account.email
      const grant = { username, password: PASSWORD, grant_type: 'password' } as const
      const elsewhere = { 'x-auth-token': (await scene.service.call(oauthToken, grant)).result.access_token }
      const change = { currentPassword: PASSWORD, password: NEXT, passwordConfirm: NEXT }
      scene.service.clock.advance(60_000)
      const mine = (await scene.service.call(updatePassword, change, elsewhere)).result.newAuthToken
      const here = { 'x-auth-token': mine }
      expect(await list(here)).toHaveLength(1)
      const refuse = async (ondine_device: string) =>
        await scene.service.app.inject({
          method: 'POST',
          url: path,
          headers: { 'x-identity-key': scene.service.context.storefronts.first().apiKey },
          cookies: {
            ondine_account: scene.actor.tokens['x-auth-token'] ?? '',
            ondine_device,
            device: 'a-browser',
          },
        })
      // A token with an invalid signature belongs to no device.
      await refuse(`${browser.result.deviceAuthToken}x`)
      expect(await list(here)).toHaveLength(1)
      const { cookies } = await refuse(browser.result.deviceAuthToken)
      expect(cookies.filter(({ value }) => value === '').map(({ name }) => name)).toEqual(
        expect.arrayContaining(['ondine_account', 'ondine_profile', 'ondine_device', 'device']),
      )
      expect(await list(here)).toEqual([])
      expect((await add('the-same-browser', here)).status).toBe(200)
      expect(await list(here)).toHaveLength(1)
      expect((await list(others.tokens)).map(({ uniqueDeviceId }) => uniqueDeviceId)).toEqual([
        'kept-elsewhere',
      ])
    },
  )

  it('names missing and invalid fields', async () => {
    expect((await add(undefined)).error.code).toBe(-167)
    for (const wrong of ['', 'short', 'x'.repeat(101), 'a b c d e f', '<script>alert</script>'])
      expect((await add(wrong)).status, wrong).toBe(400)
    expect((await remove(undefined)).error.code).toBe(-165)
    const unnamed = { casDeviceId: undefined, name: 'x', type: 'device_tv' } as const
    expect((await scene.service.call(casAuth, unnamed, scene.actor.tokens)).error.code).toBe(-165)
    const empty = { casDeviceId: 1, name: ' ', type: 'device_tv' } as const
    expect((await scene.service.call(casAuth, empty, scene.actor.tokens)).status).toBe(400)
  })

  it('requires a token, and does not find another account’s device', async () => {
    await add('computer-1')
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    const other = await scene.make.actor()
    expect((await remove(casDeviceId, other.tokens)).status).toBe(404)
    const named = { casDeviceId, name: 'x', type: 'device_tv' } as const
    expect((await scene.service.call(casAuth, named, other.tokens)).status).toBe(404)
    expect(await list(other.tokens)).toEqual([])
    expect((await scene.service.call(casAvailableDevice, {})).status).toBe(401)
    // The device token belongs to another account, so it is ignored.
    expect(
      (await play({ ...other.tokens, 'x-device-token': (await on('computer-1'))['x-device-token']! })).status,
    ).toBe(200)
  })
})
