import {
  anonymizeMe,
  changeDetails,
  loginDevice,
  updatePassword,
  validateAccount,
} from '@ondine/contract/account-calls'
import { accountDetails, session } from '@ondine/contract/accounts'
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
import { describe, expect, it } from 'vitest'
import { buildersOf, PASSWORD } from '../../../../test/builders.ts'
import { emailsTo, readOutbox, tokenOf } from '../../../../test/emails.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, startTestService } from '../../../../test/service.ts'

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

describe.each(MAIN_DB)('changing the password, on a database of kind %s', (kind) => {
  const scene = testScene(kind, {
    prepared: async ({ service }) => service.start(),
  })

  it('A7.1-07 changes the password and ends earlier sign-ins', async () => {
    const { account } = await scene.make.actor()
    const elsewhere = await scene.signedIn(account.email)
    scene.service.clock.advance(60_000)
    const here = await scene.signedIn(account.email)
    const change = async (currentPassword: string, password: string, passwordConfirm = password) =>
      await scene.service.call(updatePassword, { currentPassword, password, passwordConfirm }, here)
    expect((await change('wrong', NEW_PASSWORD)).error.code).toBe(-3000)
    expect((await change(PASSWORD, 'weak')).error.code).toBe(-18)
    expect((await change(PASSWORD, PASSWORD)).error.code).toBe(-19)
    expect((await change(PASSWORD, NEW_PASSWORD, 'Ondine-2028!')).status).toBe(400)
    scene.service.clock.advance(60_000)
    const { result } = await change(PASSWORD, NEW_PASSWORD)

    const mine = await scene.service.call(loginDevice, {}, { 'x-auth-token': result.newAuthToken })
    expect(mine.status).toBe(200)
    expect((await scene.service.call(loginDevice, {}, elsewhere)).error.code).toBe(-1)
    expect((await scene.signIn(account.email)).error.code).toBe(-3000)
    expect((await scene.signIn(account.email, NEW_PASSWORD)).status).toBe(200)
  })

  it('A7.1-07 refuses to register a device, let in a television or make another change with a token from before the change', async () => {
    const { account, profileId, tokens: old } = await scene.make.actor()
    const film = await scene.make.asset('La Houle')
    const seen = (await scene.service.call(casAddDevice, { deviceUniqueId: 'known-to-it' }, old)).result
    const [{ casDeviceId } = { casDeviceId: 0 }] = (await scene.service.call(casAvailableDevice, {}, old))
      .result
    const letIn = (await scene.service.call(startPairing, {})).result
    await scene.service.call(addMaterialByPairing, { code: letIn.code }, old)
    scene.service.clock.advance(60_000)
    const here = await scene.signedIn(account.email)
    scene.service.clock.advance(60_000)
    expect((await scene.service.call(updatePassword, CHANGE, here)).status).toBe(200)

    const television = (await scene.service.call(startPairing, {})).result
    const named = { casDeviceId, name: 'Mine', type: 'device_tv' } as const
    const answers = [
      await scene.service.call(casAddDevice, { deviceUniqueId: 'another-one' }, old),
      await scene.service.call(casAddDevice, { deviceUniqueId: 'known-to-it' }, old),
      await scene.service.call(casAuth, named, old),
      await scene.service.call(addMaterialByPairing, { code: television.code }, old),
      await scene.service.call(
        changeDetails,
        { email: 'taken-over@ondine.test', currentPassword: PASSWORD },
        old,
      ),
      await scene.service.call(setAdultCode, { adultCode: '2580' }, old),
      await scene.service.call(createProfile, PROFILE, old),
      await scene.service.call(updateProfile, { id: profileId, ...PROFILE }, old),
      await scene.service.call(deleteProfile, { id: profileId }, old),
      await scene.service.call(changeProfileSettings, { settings: {} }, old),
      await scene.service.call(casRemoveDevice, { casDeviceId }, old),
      await scene.service.call(addFavoriteAsset, { idAsset: film.id }, old),
      await scene.service.call(removeFavoriteAsset, { idAsset: film.id }, old),
      await scene.service.call(readAsset, { idAsset: film.id, ...FILM }, old),
      await scene.service.call(anonymizeMe, {}, old),
      // The old sign-in must not read data or choose a profile.
      await scene.service.call(activateProfile, { idProfile: profileId }, old),
      await scene.service.call(validateAdultCode, { parentalCode: '2580' }, old),
      await scene.service.call(adultCode, {}, old),
      await scene.service.call(listProfiles, {}, old),
      await scene.service.call(casAvailableDevice, {}, old),
      await scene.service.call(casDeviceCount, {}, old),
      await scene.service.call(accountDetails, {}, old),
      await scene.service.call(pairingDevice, { code: television.code }, old),
      await scene.service.call(homeContent, {}, old),
      await scene.service.call(contentData, { idAsset: film.id }, old),
      await scene.service.call(favoriteAssets, {}, old),
      await scene.service.call(activeAssets, { watchingMin: 0, watchingMax: 100 }, old),
      await scene.service.call(loginDevice, {}, { 'x-device-token': seen.deviceAuthToken }),
    ]
    expect(answers.map(({ error }) => error.code)).toEqual(answers.map(() => -1))
    expect((await scene.service.call(pairingStatus, { secret: letIn.secret })).result.state).toBe('expired')
    expect((await scene.service.call(pairingStatus, { secret: television.secret })).result.state).toBe(
      'waiting',
    )
    // A page that sends the old tokens as cookies counts as not signed in, and the answer clears these cookies.
    const cookies = `ondine_account=${old['x-auth-token']}; ondine_profile=${old['x-profile-token']}`
    const page = await scene.service.app.inject({
      method: 'POST',
      url: session.path,
      headers: { cookie: cookies, 'x-identity-key': scene.service.context.storefronts.first().apiKey },
    })
    expect(page.json().result.account).toBeNull()
    expect(page.cookies.find(({ name }) => name === 'ondine_account')?.value).toBe('')
  })

  it('A7.1-07 voids a pending change of the e-mail address', async () => {
    const { account, tokens: old } = await scene.make.actor()
    const here = await scene.signedIn(account.email)
    const email = `taken-over-${account.id}@ondine.test`
    await scene.service.call(changeDetails, { email, currentPassword: PASSWORD }, old)
    const [letter] = await emailsTo(scene.service.context.settings.DATA_DIR, email, 1)
    const { newAuthToken } = (await scene.service.call(updatePassword, CHANGE, here)).result
    expect((await scene.service.call(validateAccount, { token: tokenOf(letter!) })).error.code).toBe(-410)
    const mine = (await scene.service.call(accountDetails, {}, { 'x-auth-token': newAuthToken })).result
    expect([mine.email, mine.pendingEmail]).toEqual([account.email, null])
  })

  it('A7.1-07 sends no e-mail to the pending address either, if the password changes before the e-mail is written', async () => {
    const waiting = await startTestService(kind, { SIGN_IN_ATTEMPTS: 1000 })
    try {
      const { account, tokens: old } = await buildersOf(waiting.context).actor()
      const email = 'taken-over@ondine.test'
      expect((await waiting.call(changeDetails, { email, currentPassword: PASSWORD }, old)).status).toBe(200)
      const { newAuthToken } = (await waiting.call(updatePassword, CHANGE, old)).result
      waiting.start()
      // E-mails are sent in the sequence in which they were queued. An e-mail to the pending address would arrive
      // before the two e-mails to the holder.
      const folder = waiting.context.settings.DATA_DIR
      await emailsTo(folder, account.email, 2)
      expect((await readOutbox(folder)).map(({ to }) => to)).toEqual([account.email, account.email])
      const mine = { 'x-auth-token': newAuthToken }
      expect((await waiting.call(accountDetails, {}, mine)).result.pendingEmail).toBeNull()
      // The holder can still change the e-mail address of the account.
      await waiting.call(changeDetails, { email, currentPassword: NEW_PASSWORD }, mine)
      await emailsTo(folder, email, 1)
    } finally {
      await waiting.remove()
    }
  })

  it('A5-19 limits guesses of the password for a new parental code together with those for a new password', async () => {
    const guarded = await startTestService(kind, { SIGN_IN_ATTEMPTS: 3 })
    try {
      const { account, tokens } = await buildersOf(guarded.context).actor()
      const { email } = account
      const set = async (given: { currentAdultCode?: string; currentPassword?: string }) =>
        (await guarded.call(setAdultCode, { adultCode: '2580', ...given }, tokens)).status
      const change = async (currentPassword: string) =>
        (await guarded.call(updatePassword, { ...CHANGE, currentPassword }, tokens)).status
      expect(await set({})).toBe(200)
      const guesses = [
        await set({ currentPassword: 'wrong' }),
        await change('wrong'),
        await set({ currentPassword: 'wrong' }),
        await set({ currentPassword: PASSWORD }),
        await change(PASSWORD),
      ]
      expect(guesses).toEqual([401, 401, 401, 429, 429])
      // The code is no password, so its change is not counted. The holder reads about a changed code.
      expect(await set({ currentAdultCode: '2580' })).toBe(200)
      guarded.start()
      const [letter] = await emailsTo(guarded.context.settings.DATA_DIR, email, 1)
      expect(letter?.text).toContain('Le code parental de votre compte')
    } finally {
      await guarded.remove()
    }
  })

  it('A7.1-07 A6-05 keeps the watching profile when the password is changed', async () => {
    const { account, profileId, tokens } = await scene.make.actor()
    const { id } = (
      await scene.service.call(
        createProfile,
        { ...PROFILE, kidProfile: true, maximumMoralityLevel: 1 },
        tokens,
      )
    ).result
    await scene.service.call(setAdultCode, { adultCode: '2580' }, tokens)
    const given = { parentalCode: '2580' }
    const parentalProof = (await scene.service.call(validateAdultCode, given, tokens)).result
    const { profileToken } = (await scene.service.call(activateProfile, { idProfile: id }, tokens)).result
    const cookies: Record<string, string> = {
      ondine_account: tokens['x-auth-token'] ?? '',
      ondine_profile: profileToken,
    }
    const key = { 'x-identity-key': scene.service.context.storefronts.first().apiKey }
    const change = async (payload: Record<string, string>) => {
      const answer = await scene.service.app.inject({
        method: updatePassword.method,
        url: updatePassword.path,
        headers: { ...key, 'content-type': 'application/x-www-form-urlencoded' },
        cookies,
        payload: String(new URLSearchParams({ ...payload, parentalProof })),
      })
      expect(answer.statusCode).toBe(200)
      for (const { name, value } of answer.cookies) cookies[name] = value
    }
    const watching = async () => {
      const cookie = Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; ')
      const { result } = await scene.service.call(session, {}, { ...key, cookie })
      return [result.account?.id, result.profile?.id]
    }
    await change(CHANGE)
    expect(await watching()).toEqual([account.id, id])
    // The active profile is deleted, so the default profile becomes active.
    await scene.service.call(deleteProfile, { id }, await scene.signedIn(account.email, NEW_PASSWORD))
    await change({ currentPassword: NEW_PASSWORD, password: PASSWORD, passwordConfirm: PASSWORD })
    expect(await watching()).toEqual([account.id, profileId])
  })

  it('A7.1-07 no old token stays valid around the change, and the caller of the change stays signed in', async () => {
    const { account } = await scene.make.actor()
    const old = await scene.signedIn(account.email)
    const here = await scene.signedIn(account.email)
    const device = async (deviceUniqueId: string, tokens: Record<string, string>) =>
      (await scene.service.call(casAddDevice, { deviceUniqueId }, tokens)).result?.deviceAuthToken
    const mine = (await device('device-of-holder', here)) ?? ''
    const [{ casDeviceId } = { casDeviceId: 0 }] = (await scene.service.call(casAvailableDevice, {}, old))
      .result
    expect(casDeviceId).toBeGreaterThan(0)
    const [{ result }, stolen] = await Promise.all([
      scene.service.call(updatePassword, CHANGE, { ...here, 'x-device-token': mine }),
      device('device-of-thief', old),
    ])
    const renew = async (token = '') =>
      (await scene.service.call(loginDevice, {}, { 'x-device-token': token })).error.code
    expect(await renew(stolen)).toBe(-1)
    const named = { casDeviceId, name: 'Mine', type: 'device_tv' } as const
    expect((await scene.service.call(casAuth, named, old)).error.code).toBe(-1)
    expect(await device('device-of-thief', old)).toBeUndefined()
    expect((await scene.service.call(loginDevice, {}, old)).error.code).toBe(-1)
    // Tokens of the same second still work: the holder's new token, the token of the holder's device, and tokens
    // of a sign-in with the new password.
    const fresh = { 'x-auth-token': result.newAuthToken }
    expect((await scene.service.call(accountDetails, {}, fresh)).status).toBe(200)
    expect((await scene.service.call(casAuth, named, fresh)).status).toBe(200)
    expect(await renew(mine)).toBe(0)
    const again = await scene.signedIn(account.email, NEW_PASSWORD)
    expect((await scene.service.call(accountDetails, {}, again)).status).toBe(200)
    // To name the devices gives the device of the thief no sign-in back.
    for (const each of (await scene.service.call(casAvailableDevice, {}, again)).result)
      await scene.service.call(casAuth, { ...named, casDeviceId: each.casDeviceId }, again)
    expect(await renew(stolen)).toBe(-1)
    expect(await renew(mine)).toBe(0)
    expect(await renew(await device('another-one', again))).toBe(0)
    // A second change ends the sign-ins that began after the first change.
    const back = { currentPassword: NEW_PASSWORD, password: PASSWORD, passwordConfirm: PASSWORD }
    expect((await scene.service.call(updatePassword, back, again)).status).toBe(200)
    expect((await scene.service.call(accountDetails, {}, fresh)).error.code).toBe(-1)
  })
})
