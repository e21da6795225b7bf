import { createDecipheriv, createECDH, type ECDH, hkdfSync } from 'node:crypto'
import { loginDevice } from '@ondine/contract/account-calls'
import { accountDetails, logout, session } from '@ondine/contract/accounts'
import { assets } from '@ondine/contract/catalogue'
import { casAddDevice } from '@ondine/contract/devices'
import {
  downloadAsset,
  downloadHelperTokens,
  downloadLicence,
  type OfflineLicence,
  releaseDownload,
  type Sealed,
} from '@ondine/contract/downloads'
import type { InputOf } from '@ondine/contract/operation'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { readAsset } from '@ondine/contract/playback'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Actor } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { testScene } from '../../../../test/scene.ts'
import { DATABASES, NOON } from '../../../../test/service.ts'
import { rowsOf } from '../../../database/rows.ts'
import { grants } from '../../rights/entitlements/entitlements.table.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { heldDownloads } from './downloads.table.ts'

const DAY = 86_400

describe.each(DATABASES)('downloads, on a database of kind %s', (kind) => {
  let film: Awaited<ReturnType<(typeof scene)['make']['asset']>>
  const scene = testScene(kind, {
    actor: { packages: { cinema: {} } },
    prepared: async ({ make }) => {
      film = await make.asset('La Houle', { inPackages: ['cinema'] })
    },
  })
  beforeAll(async () => {
    await changeConfigurationOf(scene.service, { 'downloads.downloadWebEnabled': true })
  })

  async function prepare(
    fields: Partial<InputOf<typeof downloadAsset>> = {},
    { tokens }: Actor = scene.actor,
  ) {
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', ...fields }
    return await scene.service.call(downloadAsset, input, tokens)
  }

  async function ask(token: string, device: ECDH, { tokens }: Actor = scene.actor) {
    const deviceKey = device.getPublicKey('base64url')
    return await scene.service.call(downloadLicence, { token, deviceKey, parentalProof: undefined }, tokens)
  }

  /** Makes a film that the actor has rented. */
  async function rent({ downloads = true } = {}) {
    const rented = await scene.make.asset('Encre', { inPackages: ['rentals'] })
    await addGrant(scene.service.context.db, {
      accountId: scene.actor.account.id,
      opens: { assetId: rented.id },
      source: 'operator',
      sourceId: 'rental',
      from: NOON - 1000,
      to: NOON + 30 * DAY * 1000,
      slotSeconds: 2 * DAY,
      downloads,
    })
    return rented
  }

  const kidOf = ({ trackSet }: typeof film) =>
    Buffer.from(trackSet?.encryption?.keyId ?? '', 'hex').toString('base64url')

  function newDevice(): ECDH {
    const device = createECDH('prime256v1')
    device.generateKeys()
    return device
  }

  /** Opens a sealed licence with an independent implementation of the encryption. */
  function open(device: ECDH, { publicKey, iv, data }: Sealed): OfflineLicence {
    const point = Buffer.from(publicKey, 'base64url')
    const secret = device.computeSecret(point)
    const key = Buffer.from(hkdfSync('sha256', secret, point, 'ondine download licence', 32))
    const bytes = Buffer.from(data, 'base64url')
    const cipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'))
    cipher.setAAD(device.getPublicKey())
    cipher.setAuthTag(bytes.subarray(-16))
    return JSON.parse(Buffer.concat([cipher.update(bytes.subarray(0, -16)), cipher.final()]).toString('utf8'))
  }

  it('V7-25 answers the manifest of the chosen renditions, their files and the source of the licence', async () => {
    const { result } = await prepare({ idAudioLang: 'eng', idSubtitleLang: 'fra', height: 480 })
    expect(result.languages).toEqual({ audio: 'eng', subtitle: 'fra' })
    expect(result.availableLanguages).toEqual({ audio: ['fra', 'eng'], subtitle: ['fra', 'eng'] })
    expect(result.folders).toEqual(
      ['v360', 'a-eng-2', 't-fra-1'].map((rendition) => ({
        address: `/media/${film.trackSet?.id}/${rendition}/`,
        segments: 15,
      })),
    )
    // 60 s of video with 1,080 kbit/s and sound with 128 kbit/s.
    expect(result.bytes).toBeGreaterThan((60 * (360 * 3000 + 127_000)) / 8)
    expect(result.bytes).toBeLessThan((61 * (360 * 3000 + 129_000)) / 8)
    expect(result.licence).toMatchObject({ provider: 'clearkey', keySystem: 'org.w3.clearkey' })
    expect(result.qualities).toEqual([
      { height: 720, bytes: expect.any(Number) },
      { height: 360, bytes: result.bytes },
    ])
    expect(result.qualities[0]?.bytes).toBeGreaterThan(result.bytes)
    const manifest = (await scene.service.app.inject({ url: result.url })).body
    expect(manifest.match(/<Representation id="([^"]+)"/g)).toHaveLength(3)
    for (const { address } of result.folders) expect(manifest).toContain(address)
  })

  it('V7-25 gives an absolute address with asUrl', async () => {
    expect((await prepare()).result.url).toMatch(/^\/play\//)
    expect((await prepare({ asUrl: true })).result.url).toMatch(/^http:\/\/localhost[:\d]*\/play\//)
  })

  it('A4.9-05 the best video, the default audio and no subtitles where nothing else fits', async () => {
    const { result } = await prepare({ idAudioLang: 'deu', idSubtitleLang: 'deu' })
    expect(result.languages).toEqual({ audio: 'fra', subtitle: 'non' })
    expect(result.folders[0]?.address).toContain('/v720/')
  })

  it('the session of a download gives no keys, and does not count as playing', async () => {
    const limit = await changeConfigurationOf(scene.service, { 'accounts.maximumSessions': 1 })
    const { result } = await prepare()
    const token = result.licence?.token ?? ''
    const answer = await scene.service.app.inject({
      method: 'POST',
      url: `/play/${token}/licence`,
      payload: JSON.stringify({ kids: [kidOf(film)] }),
    })
    expect(answer.json().error.code).toBe(-2370)
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    expect((await scene.service.call(readAsset, input, scene.actor.tokens)).status).toBe(200)
    await limit.undo()
  })

  it('spec 39 seals the keys for one device, with an expiry of 30 days and 48 hours after the first play', async () => {
    const { result } = await prepare()
    const device = newDevice()
    const { result: issued } = await ask(result.licence?.token ?? '', device)
    const now = Math.floor(NOON / 1000)
    expect(open(device, issued.sealed)).toEqual({
      idAsset: film.id,
      clearKey: {
        keys: [{ kty: 'oct', kid: kidOf(film), k: film.key?.toString('base64url') }],
        type: 'temporary',
      },
      issuedAt: now,
      expiresAt: now + 30 * DAY,
      playSeconds: 2 * DAY,
      needsCode: false,
    })
    expect(issued).toMatchObject({ expiresAt: now + 30 * DAY, playSeconds: 2 * DAY })
    expect(JSON.stringify(issued)).not.toContain(film.key?.toString('base64url'))
    expect(() => open(newDevice(), issued.sealed)).toThrow()
  })

  it('A6-08 seals whether the profile needs the parental code, even if it was given for the download', async () => {
    const adult = await scene.make.asset('Interférences', { inPackages: ['cinema'], adult: true })
    const { tokens } = scene.actor
    await scene.service.call(setAdultCode, { adultCode: '2580' }, tokens)
    const { result: parentalProof } = await scene.service.call(
      validateAdultCode,
      { parentalCode: '2580' },
      tokens,
    )
    expect((await prepare({ idAsset: adult.id })).error.code).toBe(-1612)
    const token = (await prepare({ idAsset: adult.id, parentalProof })).result.licence?.token ?? ''
    const device = newDevice()
    const deviceKey = device.getPublicKey('base64url')
    expect((await ask(token, device)).error.code).toBe(-1612)
    const { result } = await scene.service.call(downloadLicence, { token, deviceKey, parentalProof }, tokens)
    expect(open(device, result.sealed)).toMatchObject({ idAsset: adult.id, needsCode: true })
  })

  it('spec 39 both times are settings', async () => {
    const changed = await changeConfigurationOf(scene.service, {
      'downloads.licenceDays': 7,
      'downloads.hoursAfterFirstPlay': 24,
    })
    const { result } = await prepare()
    const { result: issued } = await ask(result.licence?.token ?? '', newDevice())
    expect(issued).toMatchObject({ expiresAt: Math.floor(NOON / 1000) + 7 * DAY, playSeconds: DAY })
    await changed.undo()
  })

  it('a rental begins with its licence, which ends with it', async () => {
    const rented = await rent()
    const { result } = await prepare({ idAsset: rented.id })
    const { result: issued } = await ask(result.licence?.token ?? '', newDevice())
    expect(issued.expiresAt).toBe(Math.floor(NOON / 1000) + 2 * DAY)
  })

  it('spec 34 a licence ends with a right that is known to end', async () => {
    const leaving = await scene.make.actor({ packages: { cinema: { to: NOON + 3 * DAY * 1000 } } })
    const { result } = await prepare({}, leaving)
    const device = newDevice()
    const { result: issued } = await ask(result.licence?.token ?? '', device, leaving)
    expect(issued.expiresAt).toBe(Math.floor(NOON / 1000) + 3 * DAY)
    expect(open(device, issued.sealed).expiresAt).toBe(issued.expiresAt)
  })

  it('spec 34 a licence lasts as long as a purchase of the title that outlives the package', async () => {
    const leaving = await scene.make.actor({ packages: { cinema: { to: NOON + 3 * DAY * 1000 } } })
    const bought = { accountId: leaving.account.id, opens: { assetId: film.id }, source: 'operator' } as const
    const add = async (sourceId: string, days: number) =>
      await addGrant(scene.service.context.db, {
        ...bought,
        sourceId,
        from: NOON - 1000,
        to: NOON + days * DAY * 1000,
      })
    const days = async () => {
      const { result } = await prepare({}, leaving)
      const { result: issued } = await ask(result.licence?.token ?? '', newDevice(), leaving)
      return (issued.expiresAt - Math.floor(NOON / 1000)) / DAY
    }
    await add('shorter', 2)
    expect(await days()).toBe(3)
    await add('longer', 12)
    expect(await days()).toBe(12)
  })

  it('refuses locked content, a right that has ended meanwhile, and a suspended account', async () => {
    const other = await scene.make.actor()
    expect((await prepare({}, other)).error.code).toBe(-11)
    const { result } = await prepare()
    const token = result.licence?.token ?? ''
    expect((await ask(token, newDevice(), other)).error.code).toBe(-11)
    const { db } = scene.service.context
    await db.update(grants).set({ validTo: NOON }).where(eq(grants.accountId, scene.actor.account.id))
    expect((await ask(token, newDevice())).error.code).toBe(-11)
    const suspended = await scene.make.actor({ status: 'SUSPENDED', packages: { cinema: {} } })
    expect((await prepare({}, suspended)).error.code).toBe(-2409)
  })

  it('A3-18 refuses downloads, and offers none, where the offer of the account has none', async () => {
    const { db } = scene.service.context
    const { tokens } = scene.actor
    const shown = async () => (await scene.service.call(assets, { assetIds: [film.id] }, tokens)).result[0]
    const token = (await prepare()).result.licence?.token ?? ''
    expect(await shown()).toMatchObject({ downloadable: true, isIncludedInUserOffers: true })
    const own = eq(grants.accountId, scene.actor.account.id)
    await db.update(grants).set({ downloads: false }).where(own)
    expect((await prepare()).error.code).toBe(-512)
    expect((await ask(token, newDevice())).error.code).toBe(-512)
    expect(await shown()).toMatchObject({ downloadable: false, isIncludedInUserOffers: true })
    // A second grant of the same package, which includes downloads, is enough.
    const [held] = await db.select().from(grants).where(own)
    await addGrant(db, {
      accountId: scene.actor.account.id,
      opens: { packageId: held?.packageId ?? 0 },
      source: 'operator',
      sourceId: 'downloads',
      from: NOON - 1000,
      to: null,
    })
    expect((await prepare()).status).toBe(200)
    expect(await shown()).toMatchObject({ downloadable: true })
  })

  it('A3-18 a rental without downloads plays, and cannot be downloaded', async () => {
    const rented = await rent({ downloads: false })
    const [shown] = (await scene.service.call(assets, { assetIds: [rented.id] }, scene.actor.tokens)).result
    expect(shown).toMatchObject({ downloadable: false, isIncludedInUserOffers: true })
    expect((await prepare({ idAsset: rented.id })).error.code).toBe(-512)
  })

  it('refuses a live event, and everything while the operator offers no downloads', async () => {
    const event = await scene.make.asset('Régate', {
      inPackages: ['cinema'],
      startsAt: NOON - 1000,
      endsAt: NOON + 3600_000,
    })
    expect((await prepare({ idAsset: event.id })).error.code).toBe(-512)
    const [shown] = (await scene.service.call(assets, { assetIds: [event.id] }, scene.actor.tokens)).result
    expect(shown?.downloadable).toBe(false)
    const token = (await prepare()).result.licence?.token ?? ''
    await changeConfigurationOf(scene.service, { 'downloads.downloadWebEnabled': false })
    expect((await prepare()).error.code).toBe(-512)
    expect((await ask(token, newDevice())).error.code).toBe(-512)
    await changeConfigurationOf(scene.service, { 'downloads.downloadEnabled': true })
    expect((await prepare()).status).toBe(200)
  })

  it('A4.9-04 the local player downloads with lent tokens, which open nothing else and end soon, and with the sign-in', async () => {
    const lend = async ({ tokens }: Actor = scene.actor) =>
      await scene.service.call(downloadHelperTokens, { idAsset: film.id, parentalProof: undefined }, tokens)
    expect((await lend()).error.code).toBe(-512)
    const { undo } = await changeConfigurationOf(scene.service, {
      'downloads.downloadWebEnabled': true,
      'downloads.helperUrl': 'http://127.0.0.1:17890/download',
      'downloads.helperInstallUrl': '/page/player',
    })
    const { result } = await lend()
    const lent = { 'x-auth-token': result.token, 'x-profile-token': result.profileToken }
    const asHelper = { ...scene.actor, tokens: lent }
    const prepared = await prepare({}, asHelper)
    expect(prepared.status).toBe(200)
    expect((await ask(prepared.result.licence?.token ?? '', newDevice(), asHelper)).status).toBe(200)
    const refused = [
      await scene.service.call(accountDetails, {}, lent),
      await scene.service.call(loginDevice, {}, lent),
      await scene.service.call(casAddDevice, { deviceUniqueId: 'the-local-player' }, lent),
      await scene.service.call(session, {}, lent),
      await lend(asHelper),
    ]
    expect(refused.map(({ error }) => error.code)).toEqual(refused.map(() => -1))
    scene.service.clock.advance((result.expiresIn + 1) * 1000)
    expect((await prepare({}, asHelper)).error.code).toBe(-1)
    // A caller with an expired token in a cookie counts as not signed in. The call to sign out succeeds for such
    // callers too.
    const signOut = {
      method: 'POST',
      url: '/proxy/logout',
      headers: { 'x-identity-key': scene.service.context.storefronts.first().apiKey },
      cookies: { ondine_account: result.token },
    } as const
    expect((await scene.service.app.inject(signOut)).statusCode).toBe(200)
    expect((await scene.service.call(accountDetails, {}, scene.actor.tokens)).status).toBe(200)
    const again = await lend()
    const lentAgain = {
      'x-auth-token': again.result.token,
      'x-profile-token': again.result.profileToken,
    }
    await undo()
    expect((await lend()).error.code).toBe(-512)
    expect((await scene.service.call(logout, {}, scene.actor.tokens)).status).toBe(200)
    expect((await prepare({}, { ...scene.actor, tokens: lentAgain })).error.code).toBe(-1)
  })

  it('A4.9-04 A6-08 the local player gets neither tokens nor keys without the proof of the parental code', async () => {
    const { undo } = await changeConfigurationOf(scene.service, {
      'downloads.downloadWebEnabled': true,
      'downloads.helperUrl': 'http://127.0.0.1:17890/download',
      'downloads.helperInstallUrl': '/page/player',
    })
    const adult = await scene.make.asset('Interférences', { inPackages: ['cinema'], adult: true })
    const { tokens } = scene.actor
    await scene.service.call(setAdultCode, { adultCode: '2580' }, tokens)
    const { result: proof } = await scene.service.call(validateAdultCode, { parentalCode: '2580' }, tokens)
    const lend = async (idAsset: number, parentalProof?: string, actor = scene.actor) =>
      await scene.service.call(downloadHelperTokens, { idAsset, parentalProof }, actor.tokens)
    const stranger = await scene.make.actor({ packages: { cinema: {} } })
    expect((await lend(adult.id)).error.code).toBe(-1612)
    expect((await lend(adult.id, 'forged')).error.code).toBe(-1612)
    expect((await lend(adult.id, proof, stranger)).error.code).toBe(-1612)
    expect((await lend(film.id, undefined, await scene.make.actor())).error.code).toBe(-11)
    // Tokens that were lent for another title do not replace the parental code.
    for (const answer of [await lend(film.id), await lend(adult.id, proof)]) {
      const { token, profileToken } = answer.result
      const helper = { ...scene.actor, tokens: { 'x-auth-token': token, 'x-profile-token': profileToken } }
      expect((await prepare({ idAsset: adult.id }, helper)).error.code).toBe(-1612)
      const prepared = await prepare({ idAsset: adult.id, parentalProof: proof }, helper)
      const session = prepared.result.licence?.token ?? ''
      expect((await ask(session, newDevice(), helper)).error.code).toBe(-1612)
      const deviceKey = newDevice().getPublicKey('base64url')
      const input = { token: session, deviceKey, parentalProof: proof }
      expect((await scene.service.call(downloadLicence, input, helper.tokens)).status).toBe(200)
    }
    await undo()
  })

  /** Downloads a film on a device. Returns the code of the error; undefined if it succeeds. */
  async function take(
    device: ECDH,
    idAsset = film.id,
    actor: Actor = scene.actor,
  ): Promise<number | undefined> {
    const { result } = await prepare({ idAsset }, actor)
    const answer = await ask(result.licence?.token ?? '', device, actor)
    return answer.status === 200 ? undefined : answer.error.code
  }

  async function release(device: ECDH, idAsset = film.id, { tokens }: Actor = scene.actor): Promise<void> {
    const deviceKey = device.getPublicKey('base64url')
    expect((await scene.service.call(releaseDownload, { idAsset, deviceKey }, tokens)).status).toBe(200)
  }

  it('limits the devices of an account, until one gives its downloads up or its licences expire', async () => {
    const limit = await changeConfigurationOf(scene.service, { 'downloads.maximumDevices': 1 })
    const [first, second] = [newDevice(), newDevice()]
    expect(await take(first)).toBeUndefined()
    expect(await take(first)).toBeUndefined()
    expect(await take(second)).toBe(-514)
    const other = await scene.make.actor({ packages: { cinema: {} } })
    expect(await take(second, film.id, other)).toBeUndefined()
    // An account cannot release the downloads of another account.
    await release(first, film.id, other)
    expect(await take(second)).toBe(-514)
    await release(first)
    await release(first)
    expect(await take(second)).toBeUndefined()
    await scene.service.context.db.update(heldDownloads).set({ expiresAt: NOON })
    expect(await take(first)).toBeUndefined()
    await limit.undo()
  })

  it('limits the titles of an account. A title on two devices is one title', async () => {
    const limit = await changeConfigurationOf(scene.service, { 'downloads.maximumTitles': 1 })
    const other = await scene.make.asset('Encre', { inPackages: ['cinema'] })
    const device = newDevice()
    expect(await take(device)).toBeUndefined()
    expect(await take(newDevice())).toBeUndefined()
    expect(await take(device, other.id)).toBe(-513)
    await limit.undo()
    expect(await take(device, other.id)).toBeUndefined()
  })

  it('of many simultaneous requests, no more than the limit succeed', async () => {
    const limit = await changeConfigurationOf(scene.service, { 'downloads.maximumDevices': 2 })
    const codes = await Promise.all(Array.from({ length: 6 }, async () => await take(newDevice())))
    expect(codes.filter((code) => code === undefined)).toHaveLength(2)
    expect(codes.filter((code) => code === -514)).toHaveLength(4)
    await limit.undo()
  })

  it('a refused licence begins no rental, and an invalid device key takes no place', async () => {
    const limit = await changeConfigurationOf(scene.service, { 'downloads.maximumDevices': 1 })
    const rented = await rent()
    const token = (await prepare()).result.licence?.token ?? ''
    const input = { token, deviceKey: `B${'A'.repeat(86)}`, parentalProof: undefined }
    expect((await scene.service.call(downloadLicence, input, scene.actor.tokens)).error.code).toBe(-400)
    expect(await take(newDevice())).toBeUndefined()
    expect(await take(newDevice(), rented.id)).toBe(-514)
    const { db } = scene.service.context
    const [grant] = await db.select().from(grants).where(eq(grants.assetId, rented.id))
    expect(grant).toMatchObject({ startedAt: null })
    await limit.undo()
  })

  it.each([
    ['a forged token', 'x', {}, -2370],
    ['a key that is no point', undefined, { deviceKey: `B${'A'.repeat(86)}` }, -400],
    ['a compressed point', undefined, { deviceKey: `A${'A'.repeat(43)}` }, -400],
  ])('refuses %s', async (_what, forged, fields, code) => {
    const token = forged ?? (await prepare()).result.licence?.token ?? ''
    const deviceKey = newDevice().getPublicKey('base64url')
    const input = { token, deviceKey, parentalProof: undefined, ...fields }
    expect((await scene.service.call(downloadLicence, input, scene.actor.tokens)).error.code).toBe(code)
  })

  it('the deletion of an asset finds its downloads by an index', async () => {
    const indexes = await rowsOf<{ definition: string }>(
      scene.service.context.db,
      sql`select indexdef as definition from pg_indexes where tablename = 'held_downloads'`,
    )
    expect(indexes.map(({ definition }) => definition)).toContainEqual(expect.stringMatching(/\(asset_id\)$/))
  })

  it.each(['', 'v360,', 'V360', '../x', 'a'.repeat(65)])(
    'refuses the renditions "%s" of a manifest',
    async (ids) => {
      const [address = ''] = (await prepare()).result.url.split('?')
      const answer = await scene.service.app.inject({
        url: `${address}?renditions=${encodeURIComponent(ids)}`,
      })
      expect(answer.json().error.code).toBe(-400)
    },
  )

  it('answers notFound for a manifest of unknown renditions, or of subtitles alone', async () => {
    const [address = ''] = (await prepare()).result.url.split('?')
    for (const ids of ['v4711', 't-fra-1']) {
      const answer = await scene.service.app.inject({ url: `${address}?renditions=${ids}` })
      expect(answer.json().error.code, ids).toBe(-1602)
    }
  })
})
