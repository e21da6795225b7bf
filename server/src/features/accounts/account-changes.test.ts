import {
  anonymizeMe,
  changeAddress,
  changeDetails,
  loginDevice,
  updatePassword,
  validateAccount,
} from '@ondine/contract/account-calls'
import { accountDetails, logout, oauthToken, session } from '@ondine/contract/accounts'
import { activeAssets, contentData, homeContent } from '@ondine/contract/catalogue'
import {
  casAddDevice,
  casAuth,
  casAvailableDevice,
  casDeviceCount,
  casRemoveDevice,
} from '@ondine/contract/devices'
import { addFavoriteAsset, favoriteAssets, removeFavoriteAsset } from '@ondine/contract/favourites'
import { addMaterialByPairing, pairingDevice, pairingStatus, startPairing } from '@ondine/contract/pairing'
import { adultCode, setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { readAsset } from '@ondine/contract/playback'
import {
  activateProfile,
  changeProfileSettings,
  createProfile,
  deleteProfile,
  listProfiles,
  updateProfile,
} from '@ondine/contract/profiles'
import { type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../test/builders.ts'
import { lettersTo, readOutbox, tokenOf } from '../../../test/letters.ts'
import { DATABASES, startTestService, type TestService } from '../../../test/service.ts'
import { accounts } from './accounts.table.ts'

const PASSWORD = 'Ondine-2026!'
const NEW_PASSWORD = 'Ondine-2027!'
const CHANGE = { currentPassword: PASSWORD, password: NEW_PASSWORD, passwordConfirm: NEW_PASSWORD }

const FILM = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
const PROFILE = {
  name: 'Zoé',
  language: 'fra',
  kidProfile: false,
  parentalControl: false,
  maximumMoralityLevel: 0,
} as const

describe.each(DATABASES)('an account and its holder, on a database of kind %s', (kind) => {
  let service: TestService
  let build: ReturnType<typeof buildersOf>

  beforeAll(async () => {
    service = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000 })
    service.start()
    build = buildersOf(service.context)
  })
  afterAll(async () => await service.remove())

  const signIn = async (username: string, password = PASSWORD) =>
    await service.call(oauthToken, { username, password, grant_type: 'password' })

  async function signedIn(email: string, password = PASSWORD) {
    return { 'x-auth-token': (await signIn(email, password)).result.access_token }
  }

  it('A7.1-05 changes the details that are sent, and leaves the others', async () => {
    const { tokens } = await build.actor()
    const sent = { firstName: 'Zoé', title: 'M.', dateofbirth: '1984-12-01', allowNews: true } as const
    expect((await service.call(changeDetails, sent, tokens)).result).toEqual({ pendingEmail: null })
    await service.call(changeDetails, { lastName: 'Martín' }, tokens)
    expect((await service.call(accountDetails, {}, tokens)).result).toMatchObject({
      title: 'M.',
      firstName: 'Zoé',
      lastName: 'Martín',
      allowNews: true,
      metadatas: { birthYear: '1984', birthMonth: '12', birthDay: '1' },
    })
  })

  it('A7.1-06 changes the address, all of it', async () => {
    const { tokens } = await build.actor()
    const address = {
      addressStreet: 'Quai des Bulles',
      addressSecondStreet: '-',
      addressThirdStreet: '-',
      addressNumber: '7',
      addressCity: 'Nantes',
      addressState: '',
      addressZip: '44000',
      addressCountry: 'FR',
    }
    expect((await service.call(changeAddress, address, tokens)).status).toBe(200)
    expect((await service.call(accountDetails, {}, tokens)).result).toMatchObject({
      ...address,
      addressSecondStreet: '',
      addressThirdStreet: '',
    })
    const wrong = await service.call(changeAddress, { ...address, addressCountry: 'ZZ' }, tokens)
    expect([wrong.status, wrong.error.code]).toEqual([400, -181])
  })

  it('A4.5-05 A3-03 keeps a consent with the service’s time and the version of its text', async () => {
    const { tokens } = await build.actor()
    const consent = { consent_status: 'accepted', consent_version: 'legal 1' } as const
    await service.call(changeDetails, { additionalInformation: consent }, tokens)
    const { additionalInformation } = (await service.call(accountDetails, {}, tokens)).result
    const consent_timestamp = Math.floor(service.clock.now() / 1000)
    expect(additionalInformation).toEqual({ ...consent, consent_timestamp })
    // The longest address that the text may be configured to have, with its version.
    const long = { consent_status: 'accepted', consent_version: `https://${'a'.repeat(1992)} 1` } as const
    expect((await service.call(changeDetails, { additionalInformation: long }, tokens)).status).toBe(200)
    const longer = { ...long, consent_version: 'a'.repeat(2101) }
    expect((await service.call(changeDetails, { additionalInformation: longer }, tokens)).status).toBe(400)
    const wrong = { additionalInformation: { consent_status: 'maybe' as never } }
    expect((await service.call(changeDetails, wrong, tokens)).status).toBe(400)
  })

  it('a new e-mail address counts once it is confirmed, and never if somebody has it by then', async () => {
    const { tokens, account } = await build.actor()
    const email = 'new-address@ondine.test'
    const asked = await service.call(changeDetails, { email }, tokens)
    expect(asked.result).toEqual({ pendingEmail: email })
    const letter = (await lettersTo(service.context.settings.DATA_DIR, email, 1)).at(-1)!
    await lettersTo(service.context.settings.DATA_DIR, account.email, 1)
    const before = (await service.call(accountDetails, {}, tokens)).result
    expect([before.email, before.pendingEmail]).toEqual([account.email, email])
    expect((await service.call(validateAccount, { token: tokenOf(letter) })).status).toBe(200)
    const after = (await service.call(accountDetails, {}, tokens)).result
    expect([after.email, after.pendingEmail]).toEqual([email, null])

    const other = await build.actor()
    await service.call(changeDetails, { email }, other.tokens)
    const second = (await lettersTo(service.context.settings.DATA_DIR, email, 2)).at(-1)!
    const taken = await service.call(validateAccount, { token: tokenOf(second) })
    expect([taken.status, taken.error.code]).toEqual([409, -1000])
  })

  it('a second change of the address before the first letter is written is confirmed at its own', async () => {
    const waiting = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000 })
    try {
      const { tokens } = await buildersOf(waiting.context).actor()
      for (const email of ['mistyped@ondine.test', 'meant@ondine.test'])
        expect((await waiting.call(changeDetails, { email }, tokens)).status).toBe(200)
      waiting.start()
      const folder = waiting.context.settings.DATA_DIR
      const [letter] = await lettersTo(folder, 'meant@ondine.test', 1)
      expect((await waiting.call(validateAccount, { token: tokenOf(letter!) })).status).toBe(200)
      expect((await waiting.call(accountDetails, {}, tokens)).result.email).toBe('meant@ondine.test')
    } finally {
      await waiting.remove()
    }
  })

  it('A7.1-07 changes the password, and whoever signed in before must sign in again', async () => {
    const { account } = await build.actor()
    const elsewhere = await signedIn(account.email)
    service.clock.advance(60_000)
    const here = await signedIn(account.email)
    const change = async (currentPassword: string, password: string, passwordConfirm = password) =>
      await service.call(updatePassword, { currentPassword, password, passwordConfirm }, here)
    expect((await change('wrong', NEW_PASSWORD)).error.code).toBe(-3000)
    expect((await change(PASSWORD, 'weak')).error.code).toBe(-18)
    expect((await change(PASSWORD, PASSWORD)).error.code).toBe(-19)
    expect((await change(PASSWORD, NEW_PASSWORD, 'Ondine-2028!')).status).toBe(400)
    service.clock.advance(60_000)
    const { result } = await change(PASSWORD, NEW_PASSWORD)

    const mine = await service.call(loginDevice, {}, { 'x-auth-token': result.newAuthToken })
    expect(mine.status).toBe(200)
    expect((await service.call(loginDevice, {}, elsewhere)).error.code).toBe(-1)
    expect((await signIn(account.email)).error.code).toBe(-3000)
    expect((await signIn(account.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('A7.1-07 a token of before the change begins nothing anew: no device, no television, no other change', async () => {
    const { account, profileId, tokens: old } = await build.actor()
    const film = await build.asset('La Houle')
    const seen = (await service.call(casAddDevice, { deviceUniqueId: 'known-to-it' }, old)).result
    const [{ casDeviceId } = { casDeviceId: 0 }] = (await service.call(casAvailableDevice, {}, old)).result
    const letIn = (await service.call(startPairing, {})).result
    await service.call(addMaterialByPairing, { code: letIn.code }, old)
    service.clock.advance(60_000)
    const here = await signedIn(account.email)
    service.clock.advance(60_000)
    expect((await service.call(updatePassword, CHANGE, here)).status).toBe(200)

    const television = (await service.call(startPairing, {})).result
    const named = { casDeviceId, name: 'Mine', type: 'device_tv' } as const
    const answers = [
      await service.call(casAddDevice, { deviceUniqueId: 'another-one' }, old),
      await service.call(casAddDevice, { deviceUniqueId: 'known-to-it' }, old),
      await service.call(casAuth, named, old),
      await service.call(addMaterialByPairing, { code: television.code }, old),
      await service.call(changeDetails, { email: 'taken-over@ondine.test' }, old),
      await service.call(setAdultCode, { adultCode: '2580' }, old),
      await service.call(createProfile, PROFILE, old),
      await service.call(updateProfile, { id: profileId, ...PROFILE }, old),
      await service.call(deleteProfile, { id: profileId }, old),
      await service.call(changeProfileSettings, { settings: {} }, old),
      await service.call(casRemoveDevice, { casDeviceId }, old),
      await service.call(addFavoriteAsset, { idAsset: film.id }, old),
      await service.call(removeFavoriteAsset, { idAsset: film.id }, old),
      await service.call(readAsset, { idAsset: film.id, ...FILM }, old),
      await service.call(anonymizeMe, {}, old),
      // Nor does it read anything more, or choose who watches.
      await service.call(activateProfile, { idProfile: profileId }, old),
      await service.call(validateAdultCode, { parentalCode: '2580' }, old),
      await service.call(adultCode, {}, old),
      await service.call(listProfiles, {}, old),
      await service.call(casAvailableDevice, {}, old),
      await service.call(casDeviceCount, {}, old),
      await service.call(accountDetails, {}, old),
      await service.call(pairingDevice, { code: television.code }, old),
      await service.call(homeContent, {}, old),
      await service.call(contentData, { idAsset: film.id }, old),
      await service.call(favoriteAssets, {}, old),
      await service.call(activeAssets, { watchingMin: 0, watchingMax: 100 }, old),
      await service.call(loginDevice, {}, { 'x-device-token': seen.deviceAuthToken }),
    ]
    expect(answers.map(({ error }) => error.code)).toEqual(answers.map(() => -1))
    expect((await service.call(pairingStatus, { secret: letIn.secret })).result.state).toBe('expired')
    expect((await service.call(pairingStatus, { secret: television.secret })).result.state).toBe('waiting')
    // A page that is opened with it is a visitor's, and takes it back.
    const cookies = `ondine_account=${old['x-auth-token']}; ondine_profile=${old['x-profile-token']}`
    const page = await service.app.inject({
      method: 'POST',
      url: session.path,
      headers: { cookie: cookies, 'x-identity-key': service.context.storefronts.first().apiKey },
    })
    expect(page.json().result.account).toBeNull()
    expect(page.cookies.find(({ name }) => name === 'ondine_account')?.value).toBe('')
  })

  it('A7.1-07 voids the link to another address that was asked for before the change', async () => {
    const { account, tokens: old } = await build.actor()
    const here = await signedIn(account.email)
    const email = `taken-over-${account.id}@ondine.test`
    await service.call(changeDetails, { email }, old)
    const [letter] = await lettersTo(service.context.settings.DATA_DIR, email, 1)
    const { newAuthToken } = (await service.call(updatePassword, CHANGE, here)).result
    expect((await service.call(validateAccount, { token: tokenOf(letter!) })).error.code).toBe(-410)
    const mine = (await service.call(accountDetails, {}, { 'x-auth-token': newAuthToken })).result
    expect([mine.email, mine.pendingEmail]).toEqual([account.email, null])
  })

  it('A7.1-07 writes no letter to that address either, if the change comes before the letter', async () => {
    const waiting = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000 })
    try {
      const { account, tokens: old } = await buildersOf(waiting.context).actor()
      const email = 'taken-over@ondine.test'
      expect((await waiting.call(changeDetails, { email }, old)).status).toBe(200)
      const { newAuthToken } = (await waiting.call(updatePassword, CHANGE, old)).result
      waiting.start()
      // The letters are written one after the other: that one's turn was before its holder's two.
      const folder = waiting.context.settings.DATA_DIR
      await lettersTo(folder, account.email, 2)
      expect((await readOutbox(folder)).map(({ to }) => to)).toEqual([account.email, account.email])
      const mine = { 'x-auth-token': newAuthToken }
      expect((await waiting.call(accountDetails, {}, mine)).result.pendingEmail).toBeNull()
      // Who holds the account may still move it.
      await waiting.call(changeDetails, { email }, mine)
      await lettersTo(folder, email, 1)
    } finally {
      await waiting.remove()
    }
  })

  it('A7.1-07 A6-05 who watched goes on watching when the password is changed', async () => {
    const { account, profileId, tokens } = await build.actor()
    const { id } = (
      await service.call(createProfile, { ...PROFILE, kidProfile: true, maximumMoralityLevel: 1 }, tokens)
    ).result
    const { profileToken } = (await service.call(activateProfile, { idProfile: id }, tokens)).result
    const cookies: Record<string, string> = {
      ondine_account: tokens['x-auth-token'] ?? '',
      ondine_profile: profileToken,
    }
    const key = { 'x-identity-key': service.context.storefronts.first().apiKey }
    const change = async (payload: Record<string, string>) => {
      const answer = await service.app.inject({
        method: updatePassword.method,
        url: updatePassword.path,
        headers: { ...key, 'content-type': 'application/x-www-form-urlencoded' },
        cookies,
        payload: String(new URLSearchParams(payload)),
      })
      expect(answer.statusCode).toBe(200)
      for (const { name, value } of answer.cookies) cookies[name] = value
    }
    const watching = async () => {
      const cookie = Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
      const { result } = await service.call(session, {}, { ...key, cookie })
      return [result.account?.id, result.profile?.id]
    }
    await change(CHANGE)
    expect(await watching()).toEqual([account.id, id])
    // A profile that is gone is not watching: the default one is.
    await service.call(deleteProfile, { id }, await signedIn(account.email, NEW_PASSWORD))
    await change({ currentPassword: NEW_PASSWORD, password: PASSWORD, passwordConfirm: PASSWORD })
    expect(await watching()).toEqual([account.id, profileId])
  })

  it('A7.1-07 nothing slips in at the moment of the change, and who changed it goes on', async () => {
    const { account } = await build.actor()
    const old = await signedIn(account.email)
    const here = await signedIn(account.email)
    const device = async (deviceUniqueId: string, tokens: Record<string, string>) =>
      (await service.call(casAddDevice, { deviceUniqueId }, tokens)).result?.deviceAuthToken
    const mine = (await device('device-of-holder', here)) ?? ''
    const [{ casDeviceId } = { casDeviceId: 0 }] = (await service.call(casAvailableDevice, {}, old)).result
    expect(casDeviceId).toBeGreaterThan(0)
    const [{ result }, stolen] = await Promise.all([
      service.call(updatePassword, CHANGE, { ...here, 'x-device-token': mine }),
      device('device-of-thief', old),
    ])
    const renew = async (token = '') =>
      (await service.call(loginDevice, {}, { 'x-device-token': token })).error.code
    expect(await renew(stolen)).toBe(-1)
    const named = { casDeviceId, name: 'Mine', type: 'device_tv' } as const
    expect((await service.call(casAuth, named, old)).error.code).toBe(-1)
    expect(await device('device-of-thief', old)).toBeUndefined()
    expect((await service.call(loginDevice, {}, old)).error.code).toBe(-1)
    // In the same second: the holder's own token, its device, and whoever has the new password.
    const fresh = { 'x-auth-token': result.newAuthToken }
    expect((await service.call(accountDetails, {}, fresh)).status).toBe(200)
    expect((await service.call(casAuth, named, fresh)).status).toBe(200)
    expect(await renew(mine)).toBe(0)
    const again = await signedIn(account.email, NEW_PASSWORD)
    expect((await service.call(accountDetails, {}, again)).status).toBe(200)
    expect(await renew(await device('another-one', again))).toBe(0)
    // And a second change ends what the first one began.
    const back = { currentPassword: NEW_PASSWORD, password: PASSWORD, passwordConfirm: PASSWORD }
    expect((await service.call(updatePassword, back, again)).status).toBe(200)
    expect((await service.call(accountDetails, {}, fresh)).error.code).toBe(-1)
  })

  it('A7.1-12 a registered device renews the token after it has ended, until it is removed or the account closed', async () => {
    const { account } = await build.actor()
    const tokens = await signedIn(account.email)
    const deviceUniqueId = 'browser-of-camille'
    const device = (await service.call(casAddDevice, { deviceUniqueId }, tokens)).result.deviceAuthToken
    service.clock.advance(25 * 3600_000)
    expect((await service.call(accountDetails, {}, tokens)).error.code).toBe(-1)
    const renewed = await service.call(loginDevice, {}, { 'x-device-token': device })
    const again = { 'x-auth-token': renewed.result.newAuthToken }
    expect((await service.call(accountDetails, {}, again)).result.email).toBe(account.email)

    expect((await service.call(loginDevice, {}, { 'x-device-token': `${device}x` })).error.code).toBe(-1)
    expect(
      (await service.call(loginDevice, {}, { 'x-device-token': tokens['x-auth-token'] })).error.code,
    ).toBe(-1)
    await service.context.db.update(accounts).set({ status: 'BANNED' }).where(sql`id = ${account.id}`)
    expect((await service.call(loginDevice, {}, { 'x-device-token': device })).error.code).toBe(-1)
    expect((await service.call(accountDetails, {}, again)).error.code).toBe(-1)
  })

  it('A4.4-01 a page opened with an ended token is one of a visitor, or goes on where a device is registered', async () => {
    const { account } = await build.actor()
    const tokens = await signedIn(account.email)
    const { deviceAuthToken } = (
      await service.call(casAddDevice, { deviceUniqueId: 'browser-of-page' }, tokens)
    ).result
    service.clock.advance(25 * 3600_000)
    const key = { 'x-identity-key': service.context.storefronts.first().apiKey }
    const cookie = `ondine_account=${tokens['x-auth-token']}`
    expect((await service.call(session, {}, { ...key, cookie })).result.account).toBeNull()
    const both = `${cookie}; ondine_device=${deviceAuthToken}`
    const open = (await service.call(session, {}, { ...key, cookie: both })).result.account
    expect(open?.email).toBe(account.email)
    expect(open?.tokenExpiresAt).toBe(Math.floor(service.clock.now() / 1000) + 24 * 3600)
    const broken = await service.call(session, {}, { ...key, cookie: 'ondine_account=x' })
    expect(broken.result.account).toBeNull()
  })

  it('A3-04 each status lets its holder do what it should', async () => {
    const statuses = {
      ACTIVE: 0,
      SUSPENDED: 0,
      PENDING_ACTIVATION: -2334,
      INACTIVE: -3000,
      BANNED: -3000,
      ARCHIVED: -3000,
    }
    for (const [status, code] of Object.entries(statuses)) {
      const { account } = await build.actor({ status: status as 'ACTIVE' })
      expect((await signIn(account.email)).error.code, status).toBe(code)
    }
  })

  it('A7.1-10 deletes an account: no word of who it was is left, what it held is', async () => {
    const { account, tokens } = await build.actor({ packages: { cinema: {} }, profile: { language: 'fra' } })
    await service.call(changeDetails, { firstName: 'Perséphone', lastName: 'Unmistakable' }, tokens)
    await service.call(casAddDevice, { deviceUniqueId: 'telltale-device' }, tokens)
    expect((await service.call(anonymizeMe, {}, tokens)).status).toBe(200)
    expect((await service.call(accountDetails, {}, tokens)).error.code).toBe(-1)
    expect((await signIn(account.email)).error.code).toBe(-3000)

    const { db } = service.context
    const rowsOf = async <Row extends Record<string, unknown>>(query: SQL) =>
      ((await db.execute<Row>(query)) as { rows: Row[] }).rows
    const tables = await rowsOf<{ name: string }>(
      sql`select table_name as name from information_schema.tables
        where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    for (const { name } of tables) {
      const [row] = await rowsOf<{ found: number }>(
        sql`select count(*)::int as found from ${sql.identifier(name)} as t
          where t::text ~ ${`Perséphone|Unmistakable|telltale|${account.email}`}`,
      )
      expect([name, row?.found]).toEqual([name, 0])
    }
    const [held] = await rowsOf<{ found: number }>(
      sql`select count(*)::int as found from account_packages where account_id = ${account.id}`,
    )
    expect(held?.found).toBe(1)
    // Somebody may have the address again.
    const again = await db.select().from(accounts).where(sql`email = ${account.email}`)
    expect(again).toEqual([])
  })

  it('A4.3-07 A7.1-11 signing out takes all tokens back', async () => {
    const answer = await service.app.inject({ method: 'POST', url: logout.path })
    expect(answer.cookies.map(({ name, value }) => [name, value])).toEqual([
      ['ondine_account', ''],
      ['ondine_profile', ''],
      ['ondine_device', ''],
    ])
  })
})
