import { loginDevice } from '@ondine/contract/account-calls'
import { session } from '@ondine/contract/accounts'
import { contentData } from '@ondine/contract/catalogue'
import { casAddDevice } from '@ondine/contract/devices'
import { fillPath } from '@ondine/contract/encode-input'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import {
  activateProfile,
  changeProfileSettings,
  createProfile,
  deleteProfile,
  listAvatars,
  listProfiles,
  updateProfile,
} from '@ondine/contract/profiles'
import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { testScene } from '../../../../test/scene.ts'
import { DATABASES, type Tokens } from '../../../../test/service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { accountToken } from '../sign-in/tokens.ts'

const WRITTEN = {
  name: 'Zoé',
  language: 'fra' as const,
  kidProfile: false,
  parentalControl: false,
  maximumMoralityLevel: 0,
}
const KID = { ...WRITTEN, kidProfile: true, maximumMoralityLevel: 2 }

describe.each(DATABASES)('profiles, on a database of kind %s', (kind) => {
  const scene = testScene(kind)

  const create = async (fields = {}, tokens: Tokens = scene.actor.tokens) =>
    await scene.service.call(createProfile, { ...WRITTEN, ...fields }, tokens)
  const change = async (id: number, fields = {}, tokens: Tokens = scene.actor.tokens) =>
    await scene.service.call(updateProfile, { id, ...WRITTEN, ...fields }, tokens)
  const list = async () => (await scene.service.call(listProfiles, {}, scene.actor.tokens)).result
  const become = async (idProfile: number, parentalProof?: string, tokens: Tokens = scene.actor.tokens) =>
    await scene.service.call(activateProfile, { idProfile, parentalProof }, tokens)
  const asProfile = async (idProfile: number, proof?: string): Promise<Tokens> => ({
    ...scene.actor.tokens,
    'x-profile-token': (await become(idProfile, proof)).result.profileToken,
  })
  async function proof(code = '2580'): Promise<string> {
    await scene.service.call(setAdultCode, { adultCode: code }, scene.actor.tokens)
    return (await scene.service.call(validateAdultCode, { parentalCode: code }, scene.actor.tokens)).result
  }

  it('V1-02 A3-08 A7.3-05 creates a profile, with an avatar and accents in its name', async () => {
    const { status, result } = await create({ name: ' Éloïse 🐟 ', language: 'eng', avatarId: 3 })
    expect(status).toBe(200)
    expect(result).toEqual({
      id: expect.any(Number),
      name: 'Éloïse 🐟',
      language: 'eng',
      picture: 'avatar-3',
      avatarId: 3,
      imageId: 'avatar-3',
      kidProfile: false,
      parentalControl: false,
      default: false,
      maximumMoralityLevel: 0,
      settings: {},
    })
    expect((await list()).map(({ name, default: first }) => [name, first])).toEqual([
      ['Camille', true],
      ['Éloïse 🐟', false],
    ])
  })

  it('A3-09 A5-27 stores a level only with the kid flag or parental control', async () => {
    expect((await create({ maximumMoralityLevel: 6 })).result.maximumMoralityLevel).toBe(0)
    const kid = (await create({ ...KID, name: 'Lou', parentalControl: true })).result
    expect(kid).toMatchObject({ kidProfile: true, parentalControl: false, maximumMoralityLevel: 2 })
    const guarded = (await create({ name: 'Noé', parentalControl: true, maximumMoralityLevel: 4 })).result
    expect(guarded).toMatchObject({ parentalControl: true, maximumMoralityLevel: 4 })
  })

  it('A7.3-05 A6-06 a level without the flag limits an adult’s profile; an image names the avatar', async () => {
    const { parentalControl: _, ...specified } = WRITTEN
    const { result } = await scene.service.call(
      createProfile,
      { ...specified, imageId: 'avatar-5', maximumMoralityLevel: 3, default: false },
      scene.actor.tokens,
    )
    expect(result).toMatchObject({ parentalControl: true, maximumMoralityLevel: 3, avatarId: 5 })
  })

  it('A7.3-06 A6-06 a change keeps the limit, the child and the picture that it does not name', async () => {
    const put = async (id: number, fields: object) =>
      await scene.service.call(
        updateProfile,
        { id, name: 'Zoé', language: 'fra', ...fields },
        scene.actor.tokens,
      )
    const limited = { parentalControl: true, maximumMoralityLevel: 3, avatarId: 5 }
    const { id } = (await create(limited)).result
    const kid = (await create({ ...KID, name: 'Lou' })).result
    await proof()
    expect((await put(id, {})).result).toMatchObject(limited)
    expect((await put(id, { kidProfile: false, maximumMoralityLevel: 3 })).result).toMatchObject(limited)
    expect((await put(id, { imageId: 'avatar-7' })).result).toMatchObject({ ...limited, avatarId: 7 })
    expect((await put(id, { imageId: '' })).result).toMatchObject({ ...limited, avatarId: null })
    const pictures = [
      [{ avatarId: 5, imageId: '' }, 5],
      [{ avatarId: 5, imageId: 'avatar-7' }, 7],
      [{ avatarId: 5, imageId: 'avatar-7' }, 5],
      [{ avatarId: 7, imageId: 'avatar-5' }, 7],
      [{ avatarId: 7, imageId: '' }, null],
    ] as const
    for (const [sent, avatarId] of pictures) expect((await put(id, sent)).result.avatarId).toBe(avatarId)
    expect((await put(id, { maximumMoralityLevel: 0 })).error.code).toBe(-1612)
    expect((await put(kid.id, { name: 'Lou' })).result).toEqual(kid)
    expect((await put(kid.id, { name: 'Lou', kidProfile: false })).error.code).toBe(-1612)
    const unlimited = { parentalControl: true, maximumMoralityLevel: 0 }
    const controlled = (await create({ ...unlimited, name: 'Max' })).result
    expect((await put(controlled.id, { name: 'Max' })).result).toMatchObject(unlimited)
    // An adult’s profile that becomes a child’s keeps its level too.
    expect((await put(id, { kidProfile: true })).result).toMatchObject({
      kidProfile: true,
      parentalControl: false,
      maximumMoralityLevel: 3,
    })
  })

  it('A6-05 a child always has a level, by default the lowest', async () => {
    const { id, maximumMoralityLevel } = (await create({ ...KID, maximumMoralityLevel: 0 })).result
    expect(maximumMoralityLevel).toBe(1)
    expect((await change(id, { ...KID, maximumMoralityLevel: 3 })).result.maximumMoralityLevel).toBe(3)
    expect((await change(id, { ...KID, maximumMoralityLevel: 0 })).result.maximumMoralityLevel).toBe(1)
    const grownUp = (await create({ name: 'Noé' })).result.id
    expect((await change(grownUp, { ...KID, name: 'Noé', maximumMoralityLevel: 0 })).result).toMatchObject({
      kidProfile: true,
      maximumMoralityLevel: 1,
    })
  })

  it('A7.3-06 A8.2-02 changes a profile; it may keep its own name but not take another profile’s', async () => {
    const { id } = (await create()).result
    expect((await change(id, { avatarId: 7 })).result).toMatchObject({ name: 'Zoé', avatarId: 7 })
    const taken = await change(id, { name: 'camille' })
    expect(taken).toMatchObject({
      status: 409,
      error: {
        code: -30,
        message: 'Un autre profil porte déjà ce nom.',
        details: { fields: [{ field: 'name' }] },
      },
    })
    expect((await create({ name: 'ZOÉ' })).error.code).toBe(-30)
  })

  it('A5-24 accepts only the languages of the storefront, and keeps one that the operator has withdrawn', async () => {
    const { status, error } = await create({ language: 'jpn' })
    expect([status, error.details?.fields?.[0]?.field]).toEqual([400, 'language'])
    const { id } = (await create({ language: 'eng' })).result
    const configuration = await changeConfigurationOf(scene.service, { 'languages.languages': ['fra'] })
    expect((await change(id, { language: 'eng', name: 'Zoë' })).result).toMatchObject({
      name: 'Zoë',
      language: 'eng',
    })
    expect((await change(scene.actor.profileId, { language: 'eng', name: 'Camille' })).status).toBe(400)
    await configuration.undo()
  })

  it('A7.3-07 A6-04 deletes a profile, but not the default one', async () => {
    const { id } = (await create()).result
    expect((await scene.service.call(deleteProfile, { id }, scene.actor.tokens)).result).toBeNull()
    expect((await scene.service.call(deleteProfile, { id }, scene.actor.tokens)).status).toBe(404)
    const first = await scene.service.call(deleteProfile, { id: scene.actor.profileId }, scene.actor.tokens)
    expect([first.status, first.error.code]).toEqual([403, -403])
    // A deleted profile cannot become active.
    expect((await become(id)).status).toBe(404)
  })

  it('A6-04 refuses to make the default profile a child’s', async () => {
    const refused = await change(scene.actor.profileId, KID)
    expect([refused.status, refused.error.code]).toEqual([403, -403])
  })

  it('A5-25 A5-26 creates no child’s profile if the operator allows none', async () => {
    const configuration = await changeConfigurationOf(scene.service, {
      'accounts.isKidProfileCreationEnabled': false,
    })
    expect((await create(KID)).error.code).toBe(-403)
    await configuration.undo()
    expect((await create(KID)).status).toBe(200)
  })

  it('answers -3054 at the limit of profiles, also to concurrent calls', async () => {
    const configuration = await changeConfigurationOf(scene.service, { 'accounts.maximumProfiles': 3 })
    const answers = await Promise.all(['A', 'B', 'C', 'D'].map(async (name) => await create({ name })))
    expect(answers.filter(({ error }) => error.code === -3054)).toHaveLength(2)
    expect(await list()).toHaveLength(3)
    await configuration.undo()
  })

  it('V1-12 creates no second profile if the configuration allows one', async () => {
    const configuration = await changeConfigurationOf(scene.service, {
      'accounts.isMultiProfileEnabled': false,
    })
    expect((await create()).error.code).toBe(-3054)
    await configuration.undo()
  })

  it('V1-12 A2.3-07 an account with several profiles can add more, up to the limit, after the operator has disabled several', async () => {
    await create({ name: 'A' })
    const configuration = await changeConfigurationOf(scene.service, {
      'accounts.isMultiProfileEnabled': false,
      'accounts.maximumProfiles': 3,
    })
    expect([(await create({ name: 'B' })).status, (await create({ name: 'C' })).error.code]).toEqual([
      200, -3054,
    ])
    await configuration.undo()
  })

  it('A6-05 requires the code to leave a child’s profile, and allows no changes from it', async () => {
    const { id } = (await create({ ...KID, name: 'Lou' })).result
    const given = await proof()
    const child = await asProfile(id)
    const refused = await become(scene.actor.profileId, undefined, child)
    expect([refused.status, refused.error.code]).toEqual([403, -1612])
    expect((await create({}, child)).error.code).toBe(-1612)
    expect((await change(id, { ...KID, maximumMoralityLevel: 6 }, child)).error.code).toBe(-1612)
    expect((await scene.service.call(deleteProfile, { id }, child)).error.code).toBe(-1612)
    expect((await become(scene.actor.profileId, 'forged', child)).error.code).toBe(-1612)
    expect((await become(id, undefined, child)).status).toBe(200)
    expect((await become(scene.actor.profileId, given, child)).status).toBe(200)
  })

  it('A6-06 requires the code, if one is set, for a change that lets a profile see more', async () => {
    const { id } = (await create({ parentalControl: true, maximumMoralityLevel: 3 })).result
    const given = await proof()
    const more = { parentalControl: true, maximumMoralityLevel: 5 }
    expect((await change(id, more)).error.code).toBe(-1612)
    expect((await change(id)).error.code).toBe(-1612)
    expect((await change(id, { ...more, maximumMoralityLevel: 2 })).status).toBe(200)
    expect((await change(id, { ...more, parentalProof: given })).result.maximumMoralityLevel).toBe(5)
  })

  it('A6-06 of two concurrent changes, neither removes the restriction that the other one sets', async () => {
    await proof()
    for (let round = 0; round < 5; round++) {
      const name = `Noé ${round}`
      const level = (maximumMoralityLevel: number) => ({ name, parentalControl: true, maximumMoralityLevel })
      const { id } = (await create(level(5))).result
      // After level 5, level 4 is a stricter limit and needs no code. After level 2, level 4 is a looser limit and
      // needs the code.
      const [less] = await Promise.all([change(id, level(2)), change(id, level(4))])
      expect(less.status).toBe(200)
      expect((await list()).find((each) => each.id === id)?.maximumMoralityLevel).toBe(2)
      await scene.service.call(deleteProfile, { id }, scene.actor.tokens)
    }
  })

  it('A6-05 in an account without a code, a child changes nothing, and its profile may be left', async () => {
    const { id } = (await create({ ...KID, name: 'Lou' })).result
    const child = await asProfile(id)
    expect((await create({}, child)).error.code).toBe(-1612)
    expect((await change(id, KID, child)).error.code).toBe(-1612)
    expect((await become(scene.actor.profileId, undefined, child)).status).toBe(200)
  })

  it('A3-10 merges preferences into those of each profile', async () => {
    const settings = async (wanted: object, tokens = scene.actor.tokens) =>
      await scene.service.call(changeProfileSettings, { settings: wanted }, tokens)
    expect((await settings({ layoutMode: 'list' })).result).toEqual({ layoutMode: 'list' })
    expect((await settings({ audioLanguage: 'eng' })).result).toEqual({
      layoutMode: 'list',
      audioLanguage: 'eng',
    })
    await settings({ subtitleLanguage: 'fra', subtitleCaptions: true })
    const active = await scene.service.call(session, {}, scene.actor.tokens)
    expect(active.result.profile?.settings).toEqual({
      layoutMode: 'list',
      audioLanguage: 'eng',
      subtitleLanguage: 'fra',
      subtitleCaptions: true,
    })
    const unknown = await settings({ colour: 'red' })
    expect([unknown.status, unknown.error.details?.fields?.[0]?.field]).toEqual([400, 'settings'])
    expect((await settings({ layoutMode: 'spiral' })).status).toBe(400)
  })

  it('A7.3-04 A3-11 lists avatars and draws them at 150 by 150; a profile without one gets the default', async () => {
    const { result } = await scene.service.call(listAvatars, {}, scene.actor.tokens)
    expect(result).toHaveLength(12)
    const { id } = (await create({ avatarId: result[0]!.id })).result
    const draw = async (type: string, objectId: number | string, headers: Tokens = scene.actor.tokens) =>
      await scene.service.app.inject({
        url: `/proxy/imgdata?type=${type}&objectId=${objectId}&format_w=150&format_h=150&languageId=fra`,
        headers,
      })
    const own = await draw('profile', id)
    expect(own.headers['content-type']).toBe('image/svg+xml')
    expect(own.body).toContain('width="150" height="150"')
    expect((await draw('avatar', result[0]!.imageId)).body).toBe(own.body)
    const plain = await draw('profile', scene.actor.profileId)
    expect([plain.statusCode, plain.body === own.body]).toEqual([200, false])
    // Other accounts, and viewers who are not signed in, do not get the picture. Unknown avatars and unavailable
    // sizes are refused.
    expect((await draw('profile', id, (await scene.make.actor()).tokens)).statusCode).toBe(404)
    expect((await draw('profile', id, {})).statusCode).toBe(404)
    expect((await draw('avatar', 'avatar-999')).statusCode).toBe(404)
    const large = await scene.service.app.inject('/proxy/imgdata?type=avatar&objectId=avatar-1&format_h=4000')
    expect(large.statusCode).toBe(400)
  })

  it('A3-11 draws the avatar that an address names, for storefronts and apps whose pictures carry no identity', async () => {
    const { storefronts, db, keys } = scene.service.context
    const rive = await storefronts.create({ apiKey: 'rive', name: 'Rive' })
    const { account, profileId } = await scene.make.actor()
    await db.update(accounts).set({ storefrontId: rive.id }).where(eq(accounts.id, account.id))
    const cookie = `ondine_account=${accountToken(keys, { ...account, storefrontId: rive.id }, 86_400)}`
    const draw = async (fields: string, headers: Tokens = {}) =>
      await scene.service.app.inject({
        url: `/proxy/imgdata?${fields}&format_w=150&format_h=150&languageId=fra`,
        headers,
      })
    const profile = `type=profile&objectId=${profileId}`
    const whale = (await draw('type=avatar&objectId=avatar-2')).body
    for (const headers of [{ cookie }, {}] as Tokens[]) {
      const named = await draw(`${profile}&avatar=2`, headers)
      expect([named.statusCode, named.body === whale]).toEqual([200, true])
      expect(named.headers['cache-control']).toBe('public, max-age=60')
      const plain = await draw(`${profile}&avatar=0`, headers)
      expect([plain.statusCode, plain.body === whale]).toEqual([200, false])
      expect((await draw(profile, headers)).statusCode).toBe(404)
    }
  })

  it('A6-05 continues as the child after the token has expired', async () => {
    const { id } = (await create(KID)).result
    const { deviceAuthToken } = (
      await scene.service.call(casAddDevice, { deviceUniqueId: 'browser-of-child' }, scene.actor.tokens)
    ).result
    const became = await scene.service.app.inject({
      method: 'POST',
      url: fillPath(activateProfile.path, [['idProfile', String(id)]]),
      headers: { ...scene.actor.tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: `idProfile=${id}`,
    })
    const cookie = became.cookies.find(({ name }) => name === 'ondine_profile')
    // The profile's cookie lives as long as the device token, because the device token can renew the sign-in.
    expect(cookie).toMatchObject({ httpOnly: true, maxAge: 365 * 86_400 })
    scene.service.clock.advance(30 * 86_400_000)
    const later = await scene.service.call(
      session,
      {},
      {
        'x-identity-key': scene.service.context.storefronts.first().apiKey,
        cookie: `ondine_account=${scene.actor.tokens['x-auth-token']}; ondine_device=${deviceAuthToken}; ondine_profile=${cookie?.value}`,
      },
    )
    expect([later.result.account?.id, later.result.profile?.id]).toEqual([scene.actor.account.id, id])
  })

  it('A6-05 remains the child’s without the token of its profile, until the code is given', async () => {
    const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
    const { id } = (await create(KID)).result
    const given = await proof()
    const storefront = { 'x-identity-key': scene.service.context.storefronts.first().apiKey }
    /** Chooses a profile in a browser. @returns the account cookie of the browser, without its other cookies */
    const accountAfter = async (idProfile: number, headers: Tokens, parentalProof = ''): Promise<Tokens> => {
      const { cookies } = await scene.service.app.inject({
        method: 'POST',
        url: activateProfile.path,
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
        payload: String(new URLSearchParams({ idProfile: String(idProfile), parentalProof })),
      })
      const account = cookies.find(({ name }) => name === 'ondine_account')
      expect(account).toMatchObject({ httpOnly: true, maxAge: 365 * 86_400 })
      return { ...storefront, cookie: `ondine_account=${account?.value}` }
    }
    const watchers = async (tokens: Tokens) =>
      (await scene.service.call(session, {}, tokens)).result.profile?.id ?? null
    const asGrownUp = { ...storefront, cookie: `ondine_account=${scene.actor.tokens['x-auth-token']}` }
    expect(await watchers(asGrownUp)).toBeNull()

    // Register the device before the child is active, because a child cannot register a device (spec 46).
    await scene.service.call(casAddDevice, { deviceUniqueId: 'browser-without-profile' }, scene.actor.tokens)
    const alone = await accountAfter(id, scene.actor.tokens)
    const byHeader = { 'x-auth-token': alone.cookie?.split('=')[1] ?? '' }
    for (const tokens of [alone, byHeader]) {
      expect(await watchers(tokens)).toBe(id)
      expect((await scene.service.call(contentData, { idAsset: strong.id }, tokens)).status).toBe(404)
      expect((await create({ name: 'Grande' }, tokens)).error.code).toBe(-1612)
      expect((await become(scene.actor.profileId, undefined, tokens)).error.code).toBe(-1612)
    }
    // After a renewal, the child's profile stays active, even if the token had expired.
    const renewed = (await scene.service.call(loginDevice, {}, alone)).result.newAuthToken
    expect(await watchers({ 'x-auth-token': renewed })).toBe(id)
    const { deviceAuthToken } = (
      await scene.service.call(casAddDevice, { deviceUniqueId: 'browser-without-profile' }, alone)
    ).result
    // This account's child must not affect the sign-in of another account.
    const other = await scene.make.actor()
    const foreign = { ...storefront, cookie: `ondine_account=${other.tokens['x-auth-token']}` }
    expect(await watchers(foreign)).toBeNull()

    const left = await accountAfter(scene.actor.profileId, alone, given)
    expect(await watchers(left)).toBeNull()
    expect((await scene.service.call(contentData, { idAsset: strong.id }, left)).status).toBe(200)

    const again = await accountAfter(id, left)
    scene.service.clock.advance(30 * 86_400_000)
    const later = { ...storefront, cookie: `${again.cookie}; ondine_device=${deviceAuthToken}` }
    expect(await watchers(later)).toBe(id)
  })

  it('names the invalid fields: names, languages, levels, avatars', async () => {
    for (const [field, value] of [
      ['name', ''],
      ['name', '   '],
      ['name', 'x'.repeat(41)],
      ['name', 'a\u0000b'],
      ['name', 'a\nb'],
      // Invisible characters, and characters that reverse the text direction.
      ['name', '\u200B\u2060'],
      ['name', 'Zoé\u202E'],
      ['language', 'xxx'],
      ['maximumMoralityLevel', 7],
      ['maximumMoralityLevel', -1],
      ['maximumMoralityLevel', 1.5],
      ['avatarId', 999],
      ['imageId', 'avatar-999'],
    ] as const) {
      const { status, error } = await create({ [field]: value })
      expect([status, error.details?.fields?.[0]?.field], `${field} ${value}`).toEqual([400, field])
    }
    // Markup is allowed in a name, because names are always displayed as plain text.
    for (const name of ['<b>Zoé</b>', 'ليلى', '👩‍👧', 'O’Neill-Łukasz'])
      expect((await create({ name })).result.name).toBe(name)
  })

  it('stores no preference that a database cannot store', async () => {
    for (const audioLanguage of ['a\u0000', '\uD800'])
      expect(
        (await scene.service.call(changeProfileSettings, { settings: { audioLanguage } }, scene.actor.tokens))
          .status,
      ).toBe(400)
  })

  it('requires a token, and does not find another account’s profile', async () => {
    expect((await create({}, {})).status).toBe(401)
    const other = await scene.make.actor()
    expect((await change(other.profileId)).status).toBe(404)
    expect(
      (await scene.service.call(deleteProfile, { id: other.profileId }, scene.actor.tokens)).status,
    ).toBe(404)
    expect((await become(other.profileId)).status).toBe(404)
  })
})
