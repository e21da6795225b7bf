import { assets, contentData } from '@ondine/contract/catalogue'
import { listChannels } from '@ondine/contract/channels'
import { adultCode, setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { channelStream, getVodLicense, readAsset, testAsset } from '@ondine/contract/playback'
import { activateProfile, createProfile, deleteProfile, updateProfile } from '@ondine/contract/profiles'
import type { TrackSet } from '@ondine/media/track-set'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, type Tokens } from '../../../../test/service.ts'
import { listProfiles } from '../profiles/profiles.service.ts'
import { profileToken } from '../sign-in/tokens.ts'
import { parentalCodes } from './parental.table.ts'

const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const

const KID = {
  name: 'Lou',
  language: 'fra',
  kidProfile: true,
  parentalControl: false,
  maximumMoralityLevel: 1,
} as const

/** Returns the id of a film's key, in the format of a licence request. */
const keyOf = ({ trackSet }: { trackSet: TrackSet | null }) =>
  Buffer.from(trackSet?.encryption?.keyId ?? '', 'hex').toString('base64url')

describe.each(MAIN_DB)('the parental code, on a database of kind %s', (kind) => {
  const scene = testScene(kind, {
    actor: { profile: { parentalControl: true, maximumMoralityLevel: 2 } },
  })

  const set = async (code: string, currentAdultCode?: string, tokens: Tokens = scene.actor.tokens) =>
    await scene.service.call(setAdultCode, { adultCode: code, currentAdultCode }, tokens)
  const validate = async (parentalCode: string, tokens: Tokens = scene.actor.tokens) =>
    await scene.service.call(validateAdultCode, { parentalCode }, tokens)
  const isSet = async () => (await scene.service.call(adultCode, {}, scene.actor.tokens)).result
  const read = async (idAsset: number, parentalProof?: string, tokens: Tokens = scene.actor.tokens) =>
    await scene.service.call(readAsset, { idAsset, parentalProof, ...LANGUAGES }, tokens)

  it('A3-12 A7.1-18 A7.1-19 sets a code of four digits, and never reveals it', async () => {
    expect(await isSet()).toEqual({ set: false })
    expect((await set('2580')).result).toBeNull()
    expect(await isSet()).toEqual({ set: true })
    const [row] = await scene.service.context.db.select().from(parentalCodes)
    expect(row?.codeHash).toMatch(/^\$argon2id\$/)
  })

  it('A5-19 changes it only with the current one', async () => {
    await set('2580')
    expect((await set('1111')).error.code).toBe(-1612)
    expect((await set('1111', '0000')).error.code).toBe(-1612)
    expect((await set('1111', '2580')).status).toBe(200)
    expect((await validate('2580')).status).toBe(403)
    expect((await validate('1111')).status).toBe(200)
  })

  describe('of which the holder has forgotten the code', () => {
    const setBy = async (currentPassword: string, tokens: Tokens = scene.actor.tokens) =>
      await scene.service.call(setAdultCode, { adultCode: '1111', currentPassword }, tokens)

    it('A5-19 changes it with the password of the account, even after too many guesses, and voids proofs of the old one', async () => {
      const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
      await set('2580')
      const parentalProof = (await validate('2580')).result
      for (let index = 0; index < 6; index++) await validate('0000')
      expect((await validate('2580')).status).toBe(429)
      scene.service.clock.advance(1000)
      expect((await setBy('wrong')).error.code).toBe(-3000)
      expect((await read(strong.id, parentalProof)).status).toBe(200)
      expect((await setBy(PASSWORD)).status).toBe(200)
      expect((await read(strong.id, parentalProof)).error.code).toBe(-1612)
      expect((await validate('2580')).error.code).toBe(-1612)
      expect((await read(strong.id, (await validate('1111')).result)).status).toBe(200)
    })

    it('A5-19 does not accept the password in place of a wrong code', async () => {
      await set('2580')
      const both = { adultCode: '1111', currentAdultCode: '0000', currentPassword: PASSWORD }
      expect((await scene.service.call(setAdultCode, both, scene.actor.tokens)).error.code).toBe(-1612)
      expect((await validate('2580')).status).toBe(200)
    })

    it('A6-04 accepts the password from the default profile only', async () => {
      await set('2580')
      const grownUp = { ...KID, kidProfile: false }
      const { id } = (await scene.service.call(createProfile, grownUp, scene.actor.tokens)).result
      const { profileToken: other } = (
        await scene.service.call(activateProfile, { idProfile: id }, scene.actor.tokens)
      ).result
      expect((await setBy(PASSWORD, { ...scene.actor.tokens, 'x-profile-token': other })).error.code).toBe(
        -403,
      )
      expect((await validate('2580')).status).toBe(200)
    })
  })

  it('A5-18 accepts four digits and nothing else', async () => {
    for (const wrong of ['', '123', '12345', 'abcd', '12 4', '１２３４', '-123']) {
      const refused = await set(wrong)
      expect([refused.status, refused.error.details?.fields?.[0]?.field], wrong).toEqual([400, 'adultCode'])
      expect((await validate(wrong)).status, wrong).toBe(400)
    }
  })

  it('A6-04 lets only the default profile set it', async () => {
    const grownUp = { ...KID, kidProfile: false }
    const { id } = (await scene.service.call(createProfile, grownUp, scene.actor.tokens)).result
    const row = (await listProfiles(scene.service.context.db, scene.actor.account.id)).find(
      (each) => each.id === id,
    )
    const other = {
      ...scene.actor.tokens,
      'x-profile-token': profileToken(scene.service.context.keys, row!, 3600),
    }
    expect((await set('2580', undefined, other)).error.code).toBe(-403)
    expect(
      (await set('2580', undefined, { 'x-auth-token': scene.actor.tokens['x-auth-token'] ?? '' })).status,
    ).toBe(401)
    expect((await scene.service.call(validateAdultCode, { parentalCode: '2580' })).status).toBe(401)
  })

  it('A7.1-20 allows five wrong codes, then blocks for 15 minutes; the right one resets the tries', async () => {
    await set('2580')
    const codes = []
    for (let index = 0; index < 4; index++) codes.push((await validate('0000')).error.code)
    expect((await validate('2580')).status).toBe(200)
    for (let index = 0; index < 5; index++) codes.push((await validate('0000')).error.code)
    expect(codes).toEqual(Array.from({ length: 9 }, () => -1612))
    const late = await validate('2580')
    expect([late.status, late.error.code, late.error.details?.retryAfterSeconds]).toEqual([429, -429, 900])
    // A request to change the code counts towards the same limit of guesses.
    expect((await set('1111', '2580')).status).toBe(429)
    const other = await scene.make.actor()
    await set('2580', undefined, other.tokens)
    expect((await validate('2580', other.tokens)).status).toBe(200)
    scene.service.clock.advance(15 * 60_000 + 1)
    expect((await validate('2580')).status).toBe(200)
  })

  it('A7.1-20 counts twenty concurrent guesses as five', async () => {
    await set('2580')
    const answers = await Promise.all(Array.from({ length: 20 }, async () => await validate('0000')))
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('does not find a code to check if none is set', async () => {
    const refused = await validate('2580')
    expect([refused.status, refused.error.code]).toEqual([404, -404])
  })

  it('A6-06 A6-07 plays titles above the level with the proof of the code, including the licence', async () => {
    const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
    const mild = await scene.make.asset('La Houle', { moralityLevel: 2 })
    expect((await read(mild.id)).status).toBe(200)
    const refused = await read(strong.id)
    expect([refused.status, refused.error.code]).toEqual([403, -1612])
    await set('2580')
    const proof = (await validate('2580')).result
    const { result } = await read(strong.id, proof)
    expect(
      (await scene.service.call(testAsset, { idAsset: strong.id, parentalProof: proof }, scene.actor.tokens))
        .status,
    ).toBe(200)
    expect(
      (
        await scene.service.call(
          getVodLicense,
          { idAsset: strong.id, parentalProof: proof, ...LANGUAGES },
          scene.actor.tokens,
        )
      ).status,
    ).toBe(200)
    const licence = await scene.service.app.inject({
      method: 'POST',
      url: result.drm?.licenceUrl ?? '',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({
        kids: [keyOf(strong)],
        type: 'temporary',
      }),
    })
    expect([licence.statusCode, licence.json().keys.length]).toEqual([200, 1])
  })

  it('A6-08 requires the code for adult content from every profile', async () => {
    const adult = await scene.make.asset('Interférences', { adult: true })
    const free = await scene.make.actor()
    expect((await read(adult.id, undefined, free.tokens)).error.code).toBe(-1612)
    await set('2580', undefined, free.tokens)
    const proof = (await validate('2580', free.tokens)).result
    expect((await read(adult.id, proof, free.tokens)).status).toBe(200)
  })

  it('A6-05 gives a child nothing above its level, whatever proof it sends', async () => {
    const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
    await set('2580')
    const proof = (await validate('2580')).result
    const { id } = (await scene.service.call(createProfile, KID, scene.actor.tokens)).result
    const row = (await listProfiles(scene.service.context.db, scene.actor.account.id)).find(
      (each) => each.id === id,
    )
    const child = {
      ...scene.actor.tokens,
      'x-profile-token': profileToken(scene.service.context.keys, row!, 3600),
    }
    expect((await read(strong.id, proof, child)).status).toBe(404)
  })

  it('refuses a proof that is forged, expired, of another account or of an earlier code', async () => {
    const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
    await set('2580')
    const proof = (await validate('2580')).result
    const other = await scene.make.actor()
    await set('2580', undefined, other.tokens)
    const foreign = (await validate('2580', other.tokens)).result
    const { keys } = scene.service.context
    const account = keys.sign('account', { sub: String(scene.actor.account.id) }, 600)
    for (const bad of ['forged', foreign, account, `${proof}x`]) {
      expect((await read(strong.id, bad)).error.code, bad).toBe(-1612)
    }
    expect((await read(strong.id, proof)).status).toBe(200)
    scene.service.clock.advance(601_000)
    expect((await read(strong.id, proof)).error.code).toBe(-1612)
    const again = (await validate('2580')).result
    await set('1234', '2580')
    expect((await read(strong.id, again)).error.code).toBe(-1612)
  })

  describe('V1-11 without parental control', () => {
    let back: { undo(): Promise<void> }
    beforeEach(async () => {
      await set('2580')
      back = await changeConfigurationOf(scene.service, { 'accounts.isParentalControlEnabled': false })
    })
    afterEach(async () => await back.undo())

    it('V1-11 plays titles above a level, or for adults, without a code and without blur, in every call', async () => {
      const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
      const adult = await scene.make.asset('Interférences', { adult: true })
      const channel = await scene.make.channel(
        'Marée',
        { kind: 'sequence', titles: ['Rien'] },
        { moralityLevel: 5 },
      )
      for (const film of [strong, adult]) {
        const { id } = film
        const detail = (await scene.service.call(contentData, { idAsset: id }, scene.actor.tokens)).result
          .content.payload
        expect(detail).toMatchObject({ isNeedParentalCode: false, isBlurred: false })
        expect((await scene.service.call(testAsset, { idAsset: id }, scene.actor.tokens)).status).toBe(200)
        const { result } = await read(id)
        const licence = await scene.service.app.inject({
          method: 'POST',
          url: result.drm?.licenceUrl ?? '',
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify({ kids: [keyOf(film)], type: 'temporary' }),
        })
        expect([licence.statusCode, licence.json().keys.length]).toEqual([200, 1])
      }
      const { result } = await scene.service.call(listChannels, {}, scene.actor.tokens)
      const listed = result.find(({ id }) => id === channel.id)
      expect(listed).toMatchObject({ isNeedParentalCode: false, item: { parentalControl: false } })
      // Only -1602 is expected: the channel needs no code, but has nothing on air.
      const asked = { idChannel: channel.id, format: 'dash' } as const
      expect((await scene.service.call(channelStream, asked, scene.actor.tokens)).error.code).toBe(-1602)
      expect((await scene.service.call(assets, { assetIds: [adult.id] })).result[0]).toMatchObject({
        isBlurred: false,
      })
    })

    it('V1-11 refuses to set a code', async () => {
      expect((await set('1111', '2580')).status).toBe(403)
    })

    it('V1-11 A6-05 A6-06 still requires an existing code to lift a child’s limits', async () => {
      const { id } = (await scene.service.call(createProfile, KID, scene.actor.tokens)).result
      const row = (await listProfiles(scene.service.context.db, scene.actor.account.id)).find(
        (each) => each.id === id,
      )
      const child = {
        ...scene.actor.tokens,
        'x-profile-token': profileToken(scene.service.context.keys, row!, 3600),
      }
      const more = { ...KID, id, maximumMoralityLevel: 6 }
      const grown = { ...KID, name: 'Grande', kidProfile: false }
      const parentalProof = (await validate('2580')).result
      expect((await validate('1111')).error.code).toBe(-1612)
      for (const tokens of [child, scene.actor.tokens])
        expect((await scene.service.call(updateProfile, more, tokens)).error.code).toBe(-1612)
      expect((await scene.service.call(createProfile, grown, child)).error.code).toBe(-1612)
      expect((await scene.service.call(deleteProfile, { id }, child)).error.code).toBe(-1612)
      expect((await scene.service.call(updateProfile, { ...more, parentalProof }, child)).status).toBe(200)
      expect((await scene.service.call(deleteProfile, { id, parentalProof }, child)).status).toBe(200)
    })

    it('V1-11 A6-05 still applies a child’s level, and lets its profile be left without a code', async () => {
      const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
      const { id } = (await scene.service.call(createProfile, KID, scene.actor.tokens)).result
      const row = (await listProfiles(scene.service.context.db, scene.actor.account.id)).find(
        (each) => each.id === id,
      )
      const child = {
        ...scene.actor.tokens,
        'x-profile-token': profileToken(scene.service.context.keys, row!, 3600),
      }
      expect((await read(strong.id, undefined, child)).status).toBe(404)
      expect((await scene.service.call(contentData, { idAsset: strong.id }, child)).status).toBe(404)
      const left = await scene.service.call(activateProfile, { idProfile: scene.actor.profileId }, child)
      expect(left.status).toBe(200)
    })

    it('V1-11 applies again as soon as it is switched on, also to running sessions', async () => {
      const strong = await scene.make.asset('Front froid', { moralityLevel: 4 })
      const { result } = await read(strong.id)
      await back.undo()
      expect((await read(strong.id)).error.code).toBe(-1612)
      const licence = await scene.service.app.inject({
        method: 'POST',
        url: result.drm?.licenceUrl ?? '',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ kids: [keyOf(strong)], type: 'temporary' }),
      })
      expect(licence.statusCode).toBe(403)
      back = await changeConfigurationOf(scene.service, { 'accounts.isParentalControlEnabled': false })
    })
  })

  it('A6-09 a channel that plays something above the level requires the code too', async () => {
    const channel = await scene.make.channel(
      'Rive',
      { kind: 'sequence', titles: ['Rien'] },
      { moralityLevel: 5 },
    )
    const refused = await scene.service.call(
      channelStream,
      { idChannel: channel.id, format: 'dash' },
      scene.actor.tokens,
    )
    expect(refused.error.code).toBe(-1612)
    await set('2580')
    const parentalProof = (await validate('2580')).result
    const given = { idChannel: channel.id, format: 'dash', parentalProof } as const
    // Only -1602 is expected: the code is right, but the channel has nothing on air.
    expect((await scene.service.call(channelStream, given, scene.actor.tokens)).error.code).toBe(-1602)
  })
})
