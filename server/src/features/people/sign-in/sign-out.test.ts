import { anonymizeMe, loginDevice, resetPassword, updatePassword } from '@ondine/contract/account-calls'
import { accountDetails, logout, session } from '@ondine/contract/accounts'
import { OPERATIONS } from '@ondine/contract/all'
import { casAddDevice, casAvailableDevice, casRemoveDevice } from '@ondine/contract/devices'
import { channelStream, heartbeat, readAsset } from '@ondine/contract/playback'
import { activateProfile, createProfile } from '@ondine/contract/profiles'
import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { PASSWORD } from '../../../../test/builders.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, type Tokens } from '../../../../test/service.ts'
import type { Service } from '../../../service.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { SESSION_SECONDS } from '../../streams/play-sessions/play-sessions.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { playing } from '../../viewing/playback/playing.table.ts'
import { makeLink } from '../accounts/account-links.service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { signInEndings } from './sign-in-endings.table.ts'
import { sweepSignInEndings } from './sign-in-jobs.ts'

const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non' } as const
const NEW = { password: 'Ondine-2027!', passwordConfirm: 'Ondine-2027!' }

/** Maximum time until every process refuses an ended sign-in, in milliseconds (spec 47). */
const WITHIN_MS = 5000

/** A sign-in on a device, with running playback. */
interface Screen {
  account: number
  email: string
  tokens: Tokens
  cookie: string
  deviceId: number
  device: string
  film: string
  channel: string
}

describe.each(MAIN_DB)('ending a sign-in, on a database of kind %s', (kind) => {
  let film: number
  let keyId: string
  let channel: number
  let elsewhere: Service
  const scene = testScene(kind, {
    prepared: async ({ service, make }) => {
      const made = await make.asset('La Houle')
      film = made.id
      keyId = made.trackSet?.encryption?.keyId ?? ''
      channel = (await make.channel('Rive', { kind: 'sequence', titles: ['La Houle'] })).id
      const { db } = service.context
      await extendSchedules(db, createTrackSetStore(db), service.clock.now(), new AbortController().signal)
      elsewhere = await service.another()
    },
  })

  const screens = { count: 0 }

  /** Signs in with the password on a new device, and plays a film and a channel there. */
  async function signIn(email: string, account: number): Promise<Screen> {
    const { service } = scene
    const signed = await service.app.inject({
      method: 'POST',
      url: '/oauth/token',
      payload: new URLSearchParams({
        username: email,
        password: PASSWORD,
        grant_type: 'password',
      }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const cookies = new Map(signed.cookies.map(({ name, value }) => [name, value]))
    const tokens = {
      'x-auth-token': cookies.get('ondine_account') ?? '',
      'x-profile-token': cookies.get('ondine_profile') ?? '',
    }
    const deviceUniqueId = `browser-number-${++screens.count}`
    const device = (await service.call(casAddDevice, { deviceUniqueId }, tokens)).result.deviceAuthToken
    const own = { ...tokens, 'x-device-token': device }
    const listed = (await service.call(casAvailableDevice, {}, own)).result
    const deviceId = listed.find(({ current }) => current)?.casDeviceId ?? 0
    const asset = { idAsset: film, ...LANGUAGES, format: 'dash' } as const
    const played = (await service.call(readAsset, asset, own)).result.session
    // Playback without the device header also belongs to the sign-in.
    const live = (await service.call(channelStream, { idChannel: channel, format: 'dash' }, tokens)).result
    const cookie = [...cookies, ['ondine_device', device]].map((pair) => pair.join('=')).join('; ')
    return { account, email, tokens: own, cookie, deviceId, device, film: played, channel: live.session }
  }

  async function someone(): Promise<Screen> {
    const { account } = await scene.make.actor()
    return await signIn(account.email, account.id)
  }

  /** Calls one process with a sign-in's tokens. Returns the status of each kind of call. */
  async function answersAt({ app }: Service, screen: Screen): Promise<Record<string, number>> {
    const key = scene.service.context.storefronts.first().apiKey
    const post = async (url: string, fields: Record<string, string>, headers: Tokens) =>
      await app.inject({
        method: 'POST',
        url,
        payload: new URLSearchParams(fields).toString(),
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      })
    const page = await post(session.path, {}, { 'x-identity-key': key, cookie: screen.cookie })
    const licence = async (token: string) =>
      (
        await app.inject({
          method: 'POST',
          url: `/play/${token}/licence`,
          payload: JSON.stringify({ kids: [Buffer.from(keyId, 'hex').toString('base64url')] }),
        })
      ).statusCode
    const read = async (url: string) => (await app.inject(url)).statusCode
    return {
      accountDetails: (await post(accountDetails.path, {}, screen.tokens)).statusCode,
      readAsset: (await post(readAsset.path, { idAsset: String(film), ...LANGUAGES }, screen.tokens))
        .statusCode,
      page: page.json().result.account === null ? 401 : 200,
      renewal: (await post(loginDevice.path, {}, { 'x-device-token': screen.device })).statusCode,
      manifest: await read(`/play/${screen.film}/manifest.mpd`),
      'live manifest': await read(`/play/${screen.channel}/manifest.mpd`),
      licence: await licence(screen.film),
      key: await read(`/play/${screen.film}/key/${keyId}`),
      heartbeat: (await post(heartbeat.path, { session: screen.film, event: 'progress' }, {})).statusCode,
      close: (await post(heartbeat.path, { session: screen.channel, event: 'close' }, {})).statusCode,
    }
  }

  const statusesAt = async (service: Service, screen: Screen) =>
    new Set(Object.values(await answersAt(service, screen)))

  /** Returns the number of running playback sessions of a sign-in, as counted for the account's limit. */
  async function playingIn({ tokens, deviceId }: Screen): Promise<number> {
    const { db, keys } = scene.service.context
    const signIn = String(keys.verify('account', tokens['x-auth-token'] ?? '')?.in)
    return await db.$count(playing, or(eq(playing.signIn, signIn), eq(playing.deviceId, deviceId)))
  }

  const setStatus = async ({ account }: Screen, status: 'ACTIVE' | 'SUSPENDED' | 'BANNED') => {
    await scene.service.context.db.update(accounts).set({ status }).where(eq(accounts.id, account))
  }

  /** All ways to end a sign-in. Where possible, another sign-in of the account makes the call. */
  const ENDINGS: Record<string, (screen: Screen) => Promise<void>> = {
    'signing out': async ({ tokens }) => void (await scene.service.call(logout, {}, tokens)),
    'signing out by the cookies': async ({ cookie }) => {
      const key = scene.service.context.storefronts.first().apiKey
      await scene.service.call(logout, {}, { 'x-identity-key': key, cookie })
    },
    'signing out after the token has ended, by the device': async ({ device }) =>
      void (await scene.service.call(logout, {}, { 'x-device-token': device })),
    'the ban of the account': async (screen) => await setStatus(screen, 'BANNED'),
    'a change of the password on another screen': async ({ email, account }) => {
      const { tokens } = await signIn(email, account)
      await scene.service.call(updatePassword, { currentPassword: PASSWORD, ...NEW }, tokens)
    },
    'a new password by a link': async ({ account }) => {
      const link = { accountId: account, purpose: 'password', email: '' } as const
      const now = scene.service.clock.now()
      const token = (await makeLink(scene.service.context.db, link, now)) ?? ''
      expect((await scene.service.call(resetPassword, { token, ...NEW })).status).toBe(200)
    },
    'the removal of its device on another screen': async ({ email, account, deviceId }) => {
      const { tokens } = await signIn(email, account)
      expect((await scene.service.call(casRemoveDevice, { casDeviceId: deviceId }, tokens)).status).toBe(200)
    },
    'the deletion of the account': async ({ tokens }) =>
      void (await scene.service.call(anonymizeMe, {}, tokens)),
  }

  it.each(Object.entries(ENDINGS))(
    'A7.1-11 %s ends its tokens, its renewal and its playback, in every process within 5 s',
    async (_how, end) => {
      const screen = await someone()
      expect(await playingIn(screen)).toBeGreaterThan(0)
      expect(await statusesAt(elsewhere, screen)).toEqual(new Set([200]))
      await end(screen)
      expect(await playingIn(screen)).toBe(0)
      const ended = Object.fromEntries(
        Object.keys(await answersAt(elsewhere, screen)).map((what) => [what, 401]),
      )
      for (const each of [scene.service, elsewhere]) {
        await vi.waitFor(async () => expect(await answersAt(each, screen)).toEqual(ended), WITHIN_MS)
      }
    },
  )

  it('A7.1-11 the process that answers a sign-out refuses its tokens at once, before the database notifies it', async () => {
    const screen = await someone()
    const { db } = scene.service.context
    // Without the trigger, the process receives no notice during the test.
    await db.execute(sql`alter table sign_in_endings disable trigger ondine_changed_insert`)
    try {
      await scene.service.call(logout, {}, screen.tokens)
    } finally {
      await db.execute(sql`alter table sign_in_endings enable trigger ondine_changed_insert`)
    }
    expect(await statusesAt(scene.service, screen)).toEqual(new Set([401]))
  })

  it('A7.1-11 every address with a playback token is refused after its sign-in has ended, future addresses included', async () => {
    const screen = await someone()
    const { app } = scene.service
    const routes = app.routeList.filter((route) => /^(?!OPTIONS )\S+ .*\/:token\b/.test(route))
    expect(routes).toEqual(
      expect.arrayContaining([
        'GET /play/:token/:file',
        'HEAD /play/:token/:file',
        'POST /play/:token/licence',
        'POST /play/:token/widevine',
        'POST /play/:token/fairplay',
        'GET /play/:token/certificate',
        'GET /play/:token/key/:keyId',
        'GET /play/:token/relay/:file',
        'GET /play/:token/relay/:sealed/*',
      ]),
    )
    const ask = async (route: string, token: string) => {
      const [method = '', path = ''] = route.split(' ')
      const url = path.replace(':token', token).replaceAll(/:\w+|\*/g, '1')
      return (await app.inject({ method: method as 'GET', url })).statusCode
    }
    for (const route of routes)
      for (const token of [screen.film, screen.channel]) expect(await ask(route, token), route).not.toBe(401)
    await scene.service.call(logout, {}, screen.tokens)
    for (const route of routes)
      for (const token of [screen.film, screen.channel]) expect(await ask(route, token), route).toBe(401)
  })

  it('A7.1-11 every call of an account is refused with a token of an ended sign-in', async () => {
    const screen = await someone()
    await scene.service.call(logout, {}, screen.tokens)
    const own = OPERATIONS.filter(({ as }) => as === 'account' || as === 'profile')
    for (const { method, path, name } of own) {
      const answer = await scene.service.app.inject({
        method,
        url: path.replaceAll(/:\w+/g, '1'),
        headers: screen.tokens,
      })
      expect([name, answer.statusCode, answer.json().error?.code]).toEqual([name, 401, -1])
    }
  })

  it('A7.1-11 signing out ends one sign-in: another device plays on, and a new sign-in on the same device does too', async () => {
    const screen = await someone()
    const other = await signIn(screen.email, screen.account)
    await scene.service.call(logout, {}, screen.tokens)
    await vi.waitFor(
      async () => expect(await statusesAt(elsewhere, screen)).toEqual(new Set([401])),
      WITHIN_MS,
    )
    expect(await statusesAt(elsewhere, other)).toEqual(new Set([200]))
    const again = await signIn(screen.email, screen.account)
    expect(await statusesAt(scene.service, again)).toEqual(new Set([200]))
    // The first sign-in's device token must not remove the device.
    await scene.service.call(loginDevice, {}, { 'x-device-token': screen.device })
    expect((await scene.service.call(casAvailableDevice, {}, again.tokens)).result).toHaveLength(3)
  })

  it('A7.1-11 a device that signs in again renews only the new sign-in', async () => {
    const { account } = await scene.make.actor()
    const deviceUniqueId = 'browser-that-comes-back'
    const renewal = async (device: string) =>
      (await scene.service.call(loginDevice, {}, { 'x-device-token': device })).status
    const register = async () => {
      const tokens = await scene.signedIn(account.email)
      const { deviceAuthToken } = (await scene.service.call(casAddDevice, { deviceUniqueId }, tokens)).result
      return { ...tokens, device: deviceAuthToken }
    }
    const first = await register()
    await scene.service.call(logout, {}, { 'x-auth-token': first['x-auth-token'] })
    expect(await renewal(first.device)).toBe(401)
    const second = await register()
    expect([await renewal(first.device), await renewal(second.device)]).toEqual([401, 200])
    const devices = await scene.service.call(
      casAvailableDevice,
      {},
      { 'x-auth-token': second['x-auth-token'] },
    )
    expect(devices.result).toHaveLength(1)
  })

  it('A6-05 choosing a child ends no sign-in and no playback', async () => {
    const screen = await someone()
    const lou = { name: 'Lou', language: 'fra', kidProfile: true, parentalControl: false } as const
    const written = { ...lou, maximumMoralityLevel: 2 }
    const { id } = (await scene.service.call(createProfile, written, screen.tokens)).result
    expect((await scene.service.call(activateProfile, { idProfile: id }, screen.tokens)).status).toBe(200)
    const goesOn = { manifest: 200, 'live manifest': 200, licence: 200, heartbeat: 200, renewal: 200 }
    expect(await answersAt(scene.service, screen)).toMatchObject(goesOn)
    expect(await playingIn(screen)).toBeGreaterThan(0)
  })

  it('A7.1-07 the sign-in that changes the password keeps its device and its renewal', async () => {
    const screen = await someone()
    const changed = await scene.service.call(
      updatePassword,
      { currentPassword: PASSWORD, ...NEW },
      screen.tokens,
    )
    const mine = { 'x-auth-token': changed.result.newAuthToken }
    expect((await scene.service.call(accountDetails, {}, mine)).status).toBe(200)
    expect((await scene.service.call(loginDevice, {}, { 'x-device-token': screen.device })).status).toBe(200)
  })

  it('an account that is opened again continues as before', async () => {
    const screen = await someone()
    const manifest = async () => (await elsewhere.app.inject(`/play/${screen.film}/manifest.mpd`)).statusCode
    await setStatus(screen, 'BANNED')
    await vi.waitFor(async () => expect(await manifest()).toBe(401), WITHIN_MS)
    await setStatus(screen, 'ACTIVE')
    await vi.waitFor(async () => expect(await manifest()).toBe(200), WITHIN_MS)
    // The process of `scene.service` can receive the notice later than `elsewhere` does.
    const details = async () => (await scene.service.call(accountDetails, {}, screen.tokens)).status
    await vi.waitFor(async () => expect(await details()).toBe(200), WITHIN_MS)
  })

  it('A3-04 a suspension ends playback in every process within 5 s, but not the sign-in', async () => {
    const screen = await someone()
    const play = { manifest: 403, 'live manifest': 403, licence: 403, key: 403, heartbeat: 403, close: 403 }
    const suspended = { accountDetails: 200, readAsset: 403, page: 200, renewal: 200, ...play }
    expect(await playingIn(screen)).toBeGreaterThan(0)
    await setStatus(screen, 'SUSPENDED')
    expect(await playingIn(screen)).toBe(0)
    for (const each of [scene.service, elsewhere])
      await vi.waitFor(async () => expect(await answersAt(each, screen)).toEqual(suspended), WITHIN_MS)
    const beat = async () => await scene.service.call(heartbeat, { session: screen.film, event: 'progress' })
    expect((await beat()).error.code).toBe(-2409)
    await setStatus(screen, 'ACTIVE')
    for (const each of [scene.service, elsewhere])
      await vi.waitFor(async () => expect(await statusesAt(each, screen)).toEqual(new Set([200])), WITHIN_MS)
  })

  it('answers or refuses manifests and heartbeats without the database', async () => {
    const screen = await someone()
    const gone = await someone()
    await scene.service.call(logout, {}, gone.tokens)
    const read = async (token: string) =>
      (await scene.service.app.inject(`/play/${token}/manifest.mpd`)).statusCode
    await read(screen.film)
    // This transaction occupies the only connection of an embedded database, so any other query would block.
    const answers = await scene.service.context.db.transaction(async () => [
      await read(screen.film),
      await read(gone.film),
      (await scene.service.call(heartbeat, { session: gone.film, event: 'progress' })).status,
      (await scene.service.call(accountDetails, {}, gone.tokens)).status,
    ])
    expect(answers).toEqual([200, 401, 401, 401])
  })

  it('A7.1-11 keeps one row for all changes of the password of an account', async () => {
    const screen = await someone()
    const { db } = scene.service.context
    let { tokens } = screen
    for (const [currentPassword, password] of [
      [PASSWORD, NEW.password],
      [NEW.password, PASSWORD],
    ] as const) {
      const sent = { currentPassword, password, passwordConfirm: password }
      const { result } = await scene.service.call(updatePassword, sent, tokens)
      expect((await scene.service.call(accountDetails, {}, tokens)).status).toBe(401)
      tokens = { 'x-auth-token': result.newAuthToken }
    }
    const isOfPassword = and(eq(signInEndings.accountId, screen.account), isNotNull(signInEndings.before))
    expect(await db.$count(signInEndings, isOfPassword)).toBe(1)
    expect((await scene.service.call(accountDetails, {}, screen.tokens)).status).toBe(401)
  })

  it('A7.1-11 a sign-in stays ended after TOKEN_HOURS is lowered, until its last token has expired', async () => {
    const { context, clock } = scene.service
    const { settings } = context
    const [before, normal, long] = [clock.now(), settings.TOKEN_HOURS, 24 * 30]
    const at = (hours: number) => clock.set(before + hours * 3_600_000)
    try {
      settings.TOKEN_HOURS = long
      const screen = await someone()
      await sweepSignInEndings(context, SESSION_SECONDS)
      settings.TOKEN_HOURS = 1
      // The sign-out comes later than the change, but the token still has the long lifetime.
      await scene.service.call(logout, {}, screen.tokens)
      const isOurs = eq(signInEndings.accountId, screen.account)
      const rows = async () => await context.db.$count(signInEndings, isOurs)
      // The database has noted its own time, which is not that of the test.
      await context.db
        .update(signInEndings)
        .set({ endedAt: new Date(before) })
        .where(isOurs)
      at(long - 1)
      await sweepSignInEndings(context, SESSION_SECONDS)
      expect(await rows()).toBe(1)
      expect((await scene.service.call(accountDetails, {}, screen.tokens)).status).toBe(401)
      at(long + 2)
      await sweepSignInEndings(context, SESSION_SECONDS)
      expect(await rows()).toBe(0)
      expect((await scene.service.call(accountDetails, {}, screen.tokens)).status).toBe(401)
    } finally {
      settings.TOKEN_HOURS = normal
      clock.set(before)
    }
  })

  it('deletes endings once their last token has expired', async () => {
    const screen = await someone()
    await scene.service.call(logout, {}, screen.tokens)
    const { context, clock } = scene.service
    const rows = async () => await context.db.$count(signInEndings)
    const hours = (count: number) => clock.set(Date.now() + count * 3_600_000)
    const before = clock.now()
    try {
      hours(24)
      await sweepSignInEndings(context, SESSION_SECONDS)
      expect(await rows()).toBeGreaterThan(0)
      hours(26)
      await sweepSignInEndings(context, SESSION_SECONDS)
      expect(await rows()).toBe(0)
      // The account token has expired meanwhile, and the device cannot renew it.
      expect((await scene.service.call(loginDevice, {}, { 'x-device-token': screen.device })).status).toBe(
        401,
      )
    } finally {
      clock.set(before)
    }
  })
})
