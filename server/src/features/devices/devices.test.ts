import { loginDevice, updatePassword } from '@ondine/contract/account-calls'
import { oauthToken, session } from '@ondine/contract/accounts'
import {
  casAddDevice,
  casAuth,
  casAvailableDevice,
  casDeviceCount,
  casRemoveDevice,
} from '@ondine/contract/devices'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { getVodLicense, heartbeat, readAsset } from '@ondine/contract/playback'
import { activateProfile, createProfile } from '@ondine/contract/profiles'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from '../../../test/builders.ts'
import { changeConfigurationOf } from '../../../test/configuration.ts'
import { DATABASES, startTestService, type TestService, type Tokens } from '../../../test/service.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.2 Mobile/15E148 Safari/604.1'
const PASSWORD = 'Ondine-2026!'
const NEXT = 'Ondine-2027!'

describe.each(DATABASES)('devices, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let actor: Actor
  let film: number
  let keyId: string

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    const made = await make.asset('La Houle')
    film = made.id
    keyId = Buffer.from(made.trackSet?.encryption?.keyId ?? '', 'hex').toString('base64url')
  })
  beforeEach(async () => {
    actor = await make.actor()
  })
  afterAll(async () => await service.remove())

  const add = async (deviceUniqueId: string | undefined, headers: Tokens = {}) =>
    await service.call(
      casAddDevice,
      { deviceUniqueId },
      { ...actor.tokens, 'user-agent': FIREFOX, ...headers },
    )
  const list = async (tokens: Tokens = actor.tokens) =>
    (await service.call(casAvailableDevice, {}, tokens)).result
  const remove = async (casDeviceId: number | undefined, tokens: Tokens = actor.tokens) =>
    await service.call(casRemoveDevice, { casDeviceId }, tokens)
  const on = async (uniqueId: string, headers: Tokens = {}): Promise<Tokens> => ({
    ...actor.tokens,
    'x-device-token': (await add(uniqueId, headers)).result.deviceAuthToken,
  })
  const play = async (tokens: Tokens) =>
    await service.call(
      readAsset,
      { idAsset: film, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' },
      tokens,
    )

  it('A3-13 A7.1-13 A7.1-15 registers a device by its browser and system, and finds it again', async () => {
    await add('computer-1')
    service.clock.advance(5000)
    const phone = await on('telephone-1', { 'user-agent': PHONE })
    service.clock.advance(5000)
    await add('computer-1', { 'user-agent': 'another' })
    const now = Math.floor(service.clock.now() / 1000)
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

  it('V7-34 A9-01 gives the browser the cookie `device` for 365 days, and a token that scripts cannot read', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/proxy/casAddDevice',
      headers: { ...actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'deviceUniqueId=computer-1',
    })
    expect(answer.cookies).toMatchObject([
      { name: 'ondine_device', httpOnly: true, sameSite: 'Lax', maxAge: 365 * 86_400 },
      { name: 'device', value: 'computer-1', sameSite: 'Lax', maxAge: 365 * 86_400 },
    ])
    expect(answer.cookies[1]).not.toHaveProperty('httpOnly')
  })

  it('A7.1-14 counts devices, and answers -411 at the limit, also to many at once', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumDevices': 2 })
    const ids = ['device-a', 'device-b', 'device-c', 'device-d']
    const answers = await Promise.all(ids.map(async (each) => await add(each)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    const refused = answers.find(({ status }) => status !== 200)
    expect([refused?.status, refused?.error.code]).toEqual([403, -411])
    const counted = await service.call(casDeviceCount, {}, actor.tokens)
    expect(counted.result).toEqual({ numberOfDevices: 2, maxNumberOfDevices: 2 })
    // One that is known comes in again, and one that is removed makes room.
    const [known] = await list()
    expect((await add(known!.uniqueDeviceId)).status).toBe(200)
    await remove(known!.casDeviceId)
    expect((await add('device-e')).status).toBe(200)
    await configuration.undo()
  })

  it('A7.1-16 names a device', async () => {
    await add('computer-1')
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    const named = { casDeviceId, name: 'Salon', type: 'device_tv' } as const
    expect((await service.call(casAuth, named, actor.tokens)).result).toBeNull()
    expect(await list()).toMatchObject([{ name: 'Salon', type: 'device_tv' }])
  })

  it('A7.1-17 removes a device: what it plays with is good for nothing any more', async () => {
    const tokens = await on('computer-1')
    expect((await play(tokens)).status).toBe(200)
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    expect((await remove(casDeviceId)).result).toBeNull()
    const refused = await play(tokens)
    expect([refused.status, refused.error.code]).toEqual([403, -340])
    expect((await remove(casDeviceId)).status).toBe(404)
  })

  it('A4.7-01 taking away the device that asks takes its cookies back', async () => {
    const tokens = await on('computer-1')
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    const answer = await service.app.inject({
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
    'A4.4-04 a browser that %s after the password was changed elsewhere is no device any more, and one again after a sign-in',
    async (_what, { path }) => {
      const others = await make.actor()
      await service.call(casAddDevice, { deviceUniqueId: 'kept-elsewhere' }, others.tokens)
      const browser = await add('a-browser')
      service.clock.advance(60_000)
      const username = actor.account.email
      const grant = { username, password: PASSWORD, grant_type: 'password' } as const
      const elsewhere = { 'x-auth-token': (await service.call(oauthToken, grant)).result.access_token }
      const change = { currentPassword: PASSWORD, password: NEXT, passwordConfirm: NEXT }
      service.clock.advance(60_000)
      const mine = (await service.call(updatePassword, change, elsewhere)).result.newAuthToken
      const here = { 'x-auth-token': mine }
      expect(await list(here)).toHaveLength(1)
      const refuse = async (ondine_device: string) =>
        await service.app.inject({
          method: 'POST',
          url: path,
          headers: { 'x-identity-key': service.context.storefronts.first().apiKey },
          cookies: { ondine_account: actor.tokens['x-auth-token'] ?? '', ondine_device, device: 'a-browser' },
        })
      // What nobody signed is nobody's.
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

  it('names what is missing or wrong', async () => {
    expect((await add(undefined)).error.code).toBe(-167)
    for (const wrong of ['', 'short', 'x'.repeat(101), 'a b c d e f', '<script>alert</script>'])
      expect((await add(wrong)).status, wrong).toBe(400)
    expect((await remove(undefined)).error.code).toBe(-165)
    const unnamed = { casDeviceId: undefined, name: 'x', type: 'device_tv' } as const
    expect((await service.call(casAuth, unnamed, actor.tokens)).error.code).toBe(-165)
    const empty = { casDeviceId: 1, name: ' ', type: 'device_tv' } as const
    expect((await service.call(casAuth, empty, actor.tokens)).status).toBe(400)
  })

  it('asks for a token, and finds no other account’s device', async () => {
    await add('computer-1')
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    const other = await make.actor()
    expect((await remove(casDeviceId, other.tokens)).status).toBe(404)
    const named = { casDeviceId, name: 'x', type: 'device_tv' } as const
    expect((await service.call(casAuth, named, other.tokens)).status).toBe(404)
    expect(await list(other.tokens)).toEqual([])
    expect((await service.call(casAvailableDevice, {})).status).toBe(401)
    // Its token is no token of this account: a stranger's device counts as none.
    expect(
      (await play({ ...other.tokens, 'x-device-token': (await on('computer-1'))['x-device-token']! })).status,
    ).toBe(200)
  })

  it('A8.1-03 answers -440 with what plays where, until something ends or falls silent', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumSessions': 2 })
    const screens = [
      await on('screen-one'),
      await on('screen-two', { 'user-agent': PHONE }),
      await on('screen-three'),
    ]
    const first = await play(screens[0]!)
    // The same device begins something else: it plays one thing.
    expect((await play(screens[0]!)).status).toBe(200)
    const second = await play(screens[1]!)
    const refused = await play(screens[2]!)
    expect([refused.status, refused.error.code]).toEqual([403, -440])
    expect(refused.error.details?.sessions).toEqual([
      { device: 'Firefox 140, Linux', title: 'La Houle' },
      { device: 'Safari 18, iOS', title: 'La Houle' },
    ])
    await service.call(heartbeat, { session: second.result.session, event: 'close' })
    expect((await play(screens[2]!)).status).toBe(200)
    expect((await play(screens[1]!)).status).toBe(403)
    service.clock.advance(46_000)
    expect((await play(screens[1]!)).status).toBe(200)
    expect(first.status).toBe(200)
    await configuration.undo()
  })

  it('A8.1-03 A6-05 tells a child on which devices something plays, and no title that does not exist for it', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumSessions': 4 })
    const adult = await make.asset('Interférences', { adult: true })
    await service.call(setAdultCode, { adultCode: '2580' }, actor.tokens)
    const parentalProof = (await service.call(validateAdultCode, { parentalCode: '2580' }, actor.tokens))
      .result
    const strong = await make.asset('Front froid', { moralityLevel: 4 })
    const kid = { name: 'Lou', language: 'fra', kidProfile: true, parentalControl: false } as const
    const { id } = (await service.call(createProfile, { ...kid, maximumMoralityLevel: 2 }, actor.tokens))
      .result
    const { profileToken } = (await service.call(activateProfile, { idProfile: id }, actor.tokens)).result
    const own = await on('screen-of-child', { 'user-agent': PHONE })
    const child = { ...own, 'x-profile-token': profileToken }
    const begun = await play(child)
    expect(begun.status).toBe(200)
    service.clock.advance(60_000)
    for (const [index, idAsset] of [adult.id, strong.id, film].entries()) {
      const tokens = await on(`screen-${index}`, index === 1 ? { 'user-agent': PHONE } : {})
      const asked = {
        idAsset,
        idAudioLang: 'fra',
        idSubtitleLang: 'non',
        format: 'dash',
        parentalProof,
      } as const
      expect((await service.call(readAsset, asked, tokens)).status).toBe(200)
    }
    await configuration.undo()
    const fewer = await changeConfigurationOf(service, { 'accounts.maximumSessions': 3 })
    const expected = [
      { device: 'Firefox 140, Linux', title: '' },
      { device: 'Safari 18, iOS', title: '' },
      { device: 'Firefox 140, Linux', title: 'La Houle' },
    ]
    expect((await play(child)).error.details?.sessions).toEqual(expected)
    // What a session that lost its place is told is the same.
    const beat = { session: begun.result.session, event: 'progress' } as const
    service.clock.advance(41_000)
    await expect
      .poll(async () => (await service.call(heartbeat, beat)).error.details?.sessions)
      .toEqual(expected)
    const grownUp = await play(own)
    expect(grownUp.error.details?.sessions?.map(({ title }) => title)).toEqual([
      'Interférences',
      'Front froid',
      'La Houle',
    ])
    await fewer.undo()
  })

  it('a session that is heard of stays counted', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumSessions': 1 })
    const { result } = await play(await on('screen-one'))
    const other = await on('screen-two')
    for (let beat = 0; beat < 6; beat++) {
      service.clock.advance(10_000)
      await service.call(heartbeat, { session: result.session, event: 'progress', position: beat })
    }
    expect((await play(other)).error.code).toBe(-440)
    await configuration.undo()
  })

  it('A8.1-03 whoever was silent and goes on is counted again, or refused with what plays where', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumSessions': 1 })
    const [one, two] = [await on('screen-one'), await on('screen-two', { 'user-agent': PHONE })]
    const first = (await play(one)).result.session
    service.clock.advance(60_000)
    const second = (await play(two)).result.session
    const heard = async (session: string) => await service.call(heartbeat, { session, event: 'progress' })
    const beat = async (session: string) => {
      service.clock.advance(5000)
      return await heard(session)
    }
    await beat(second)
    // The clock stands meanwhile: however often it asks, the other one is not silent for long.
    await expect.poll(async () => (await heard(first)).error.code).toBe(-440)
    const refused = await beat(first)
    expect([refused.status, refused.error.details?.sessions]).toEqual([
      403,
      [{ device: 'Safari 18, iOS', title: 'La Houle' }],
    ])
    expect((await beat(second)).status).toBe(200)
    // Where it stopped is kept all the same.
    const late = { session: first, event: 'progress', position: 5 } as const
    expect((await service.call(heartbeat, late)).error.code).toBe(-440)
    const again = (await play(two)).result
    expect(again.seek).toBe(5)
    await service.call(heartbeat, { session: again.session, event: 'close' })
    expect((await beat(first)).status).toBe(200)
    expect((await play(two)).error.code).toBe(-440)
    await configuration.undo()
  })

  it('A8.1-03 of one sign-in without a device one thing plays, the last that began', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumSessions': 1 })
    const first = (await play(actor.tokens)).result.session
    const second = (await play(actor.tokens)).result.session
    const beat = async (session: string) => await service.call(heartbeat, { session, event: 'progress' })
    await expect.poll(async () => (await beat(first)).error.code).toBe(-440)
    expect((await beat(second)).status).toBe(200)
    await configuration.undo()
  })

  it('A8.1-03 each sign-in without a device counts, those of one second too, and keeps its place when it is renewed', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumSessions': 2 })
    const signIn = async (): Promise<Tokens> => ({
      ...actor.tokens,
      'x-auth-token': (
        await service.call(oauthToken, {
          username: actor.account.email,
          password: 'Ondine-2026!',
          grant_type: 'password',
        })
      ).result.access_token,
    })
    const [one, two, three] = [await signIn(), await signIn(), await signIn()]
    const first = (await play(one)).result.session
    expect((await play(two)).status).toBe(200)
    const refused = await play(three)
    expect([refused.status, refused.error.code]).toEqual([403, -440])
    expect(refused.error.details?.sessions).toEqual([
      { device: '', title: 'La Houle' },
      { device: '', title: 'La Houle' },
    ])
    const { newAuthToken } = (await service.call(loginDevice, {}, one)).result
    const renewed = { ...one, 'x-auth-token': newAuthToken }
    const again = (await play(renewed)).result.session
    const beat = async (session: string, event: 'progress' | 'close' = 'progress') =>
      await service.call(heartbeat, { session, event })
    await expect.poll(async () => (await beat(first)).error.code).toBe(-440)
    expect((await play(three)).error.code).toBe(-440)
    await beat(again, 'close')
    expect((await play(three)).status).toBe(200)
    await configuration.undo()
  })

  it('A8.1-03 keys are for what counts: asking for a licence alone counts too', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumSessions': 1 })
    const licence = async (tokens: Tokens) =>
      await service.call(getVodLicense, { idAsset: film, idAudioLang: 'fra', idSubtitleLang: 'non' }, tokens)
    const keys = async (licenceUrl = '') =>
      await service.app.inject({
        method: 'POST',
        url: licenceUrl,
        payload: JSON.stringify({ kids: [keyId] }),
      })
    const [one, two] = [await on('screen-one'), await on('screen-two')]
    const playing = (await play(one)).result
    // Of what the device plays already: no second one.
    const more = (await licence(one)).result
    expect((await keys(more?.licenceUrl)).statusCode).toBe(200)
    expect((await keys(playing.drm?.licenceUrl)).statusCode).toBe(200)
    expect((await licence(two)).error.code).toBe(-440)
    service.clock.advance(60_000)
    expect((await licence(two)).status).toBe(200)
    const late = await keys(playing.drm?.licenceUrl)
    expect([late.statusCode, late.json().error.code]).toEqual([403, -440])
    await configuration.undo()
  })

  it('A7.1-17 a device that is removed while it plays is told so', async () => {
    const tokens = await on('computer-1')
    const { session } = (await play(tokens)).result
    const [{ casDeviceId } = { casDeviceId: 0 }] = await list()
    const beat = async (position: number) =>
      await service.call(heartbeat, { session, event: 'progress', position })
    await beat(4)
    await remove(casDeviceId)
    // It is noted from time to time that it is heard of.
    service.clock.advance(41_000)
    await expect.poll(async () => (await beat(8)).error.code).toBe(-340)
    // What it goes on saying is not kept either, also beside what another device says.
    const other = (await play(await on('computer-2'))).result
    expect(other.seek).toBe(4)
    await Promise.all([
      service.call(heartbeat, { session: other.session, event: 'progress', position: 6 }),
      beat(9),
    ])
    expect((await play(actor.tokens)).result.seek).toBe(6)
  })

  it('many devices that begin get no more than there is room for', async () => {
    const configuration = await changeConfigurationOf(service, { 'accounts.maximumSessions': 2 })
    const screens = await Promise.all(
      ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'].map(async (id) => await on(id)),
    )
    const answers = await Promise.all(screens.map(play))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.filter(({ error }) => error.code === -440)).toHaveLength(2)
    await configuration.undo()
  })
})
