import { createECDH, randomBytes } from 'node:crypto'
import { assets } from '@ondine/contract/catalogue'
import { downloadAsset, downloadLicence } from '@ondine/contract/downloads'
import {
  askLicenseFP,
  askLicenseWV,
  channelStream,
  getVodLicense,
  readAsset,
} from '@ondine/contract/playback'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { fakeAxinom } from '../../../../test/fake-axinom.ts'
import { fakeCastLabs } from '../../../../test/fake-castlabs.ts'
import { fakeDoveRunner } from '../../../../test/fake-doverunner.ts'
import {
  CERTIFICATE,
  FakeDrmProvider,
  type FakeLicence,
  type Provider,
} from '../../../../test/fake-drm-provider.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { grants } from '../../rights/entitlements/entitlements.table.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { openDrmProvider } from '../../streams/drm-providers/open-drm-provider.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'

const PROVIDERS: Record<string, (now: () => number) => Provider> = {
  castlabs: (now) => fakeCastLabs(now),
  axinom: (now) => fakeAxinom(now),
  doverunner: (now) => fakeDoveRunner(now),
}

const CHALLENGE = Buffer.from([8, 1, 18, 0, 255])

/** How long a viewer waits for a silent provider, in milliseconds. */
const PATIENCE_MS = 8000

/** Runs `work`, whose timeouts elapse forty times as fast. @returns the timeouts that it sets, in milliseconds */
async function timeoutsOf(work: () => Promise<void>): Promise<number[]> {
  const { timeout } = AbortSignal
  const set = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout.call(AbortSignal, ms / 40))
  try {
    await work()
    return set.mock.calls.flat()
  } finally {
    set.mockRestore()
  }
}

const CASES = DATABASES.flatMap((kind) => Object.keys(PROVIDERS).map((name) => ({ name, kind })))

describe.each(CASES)('licences of $name, on a database of kind $kind', ({ name, kind }) => {
  let service: TestService
  let provider: FakeDrmProvider
  let make: ReturnType<typeof buildersOf>
  let film: Awaited<ReturnType<typeof make.asset>>
  let other: typeof film
  let actor: Actor

  beforeAll(async () => {
    provider = new FakeDrmProvider(PROVIDERS[name]?.(() => service.clock.now()) as Provider)
    service = await startTestService(kind, await provider.start())
    make = buildersOf(service.context)
    film = await make.asset('La Houle', { inPackages: ['cinema'] })
    other = await make.asset('Encre', { inPackages: ['cinema'] })
    actor = await make.actor({ packages: { cinema: {}, channels: {} } })
  })
  afterEach(() => {
    provider.fault = undefined
    expect(provider.refusals.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await service.remove()
    await provider.stop()
  })

  const keyIdOf = ({ trackSet }: typeof film) => trackSet?.encryption?.keyId ?? ''

  async function open(format: 'dash' | 'hls' = 'dash', who = actor) {
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', format } as const
    const { result } = await service.call(readAsset, input, who.tokens)
    if (!result.drm) throw new Error('The film is clear.')
    return { ...result, drm: result.drm }
  }

  async function ask(url: string, body: Buffer | string = CHALLENGE) {
    const answer = await service.app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { 'content-type': 'application/octet-stream' },
    })
    const isLicence = answer.statusCode === 200
    return {
      answer,
      status: answer.statusCode,
      code: isLicence ? 0 : answer.json().error.code,
      licence: (isLicence ? JSON.parse(answer.rawPayload.toString()) : {}) as FakeLicence,
    }
  }

  it('V4-26 V4-27 a DASH session gets its key for Widevine, by a token of its own', async () => {
    const { drm, session } = await open()
    expect(drm).toEqual({ keySystem: 'com.widevine.alpha', licenceUrl: `/play/${session}/widevine` })
    const { answer, licence } = await ask(drm.licenceUrl)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
    expect(licence).toMatchObject({
      system: 'widevine',
      request: CHALLENGE.toString('base64'),
      keys: { [keyIdOf(film)]: film.key?.toString('hex') },
      isHardwareOnly: false,
      hdcp: 'none',
    })
    expect(['', String(actor.account.id)]).toContain(licence.userId)
    // A second request, for example after a reload, gets another token.
    expect((await ask(drm.licenceUrl)).status).toBe(200)
  })

  it('spec 48 a manifest with laurl names the address of Widevine licences, which gives the key of its Period', async () => {
    const { url, session } = await open()
    const manifest = await service.app.inject({ url: `${url}?laurl=1`, headers: { host: 'localhost:4000' } })
    const protection = /<ContentProtection schemeIdUri="urn:uuid:edef8ba9.*?<\/ContentProtection>/s.exec(
      manifest.body,
    )?.[0]
    const named = [...(protection ?? '').matchAll(/<dashif:(Laurl|laurl) [^>]*>([^<]*)<\/dashif:\1>/g)]
    const [address] = new Set(named.map(([, , written]) => written))
    const keyId = keyIdOf(film).replaceAll('-', '')
    expect(named).toHaveLength(2)
    expect(address).toBe(`http://localhost:4000/play/${session}/widevine?keyId=${keyId}`)
    const { licence } = await ask(address ?? '')
    expect(licence).toMatchObject({
      system: 'widevine',
      keys: { [keyIdOf(film)]: film.key?.toString('hex') },
    })
    expect((await service.app.inject(url)).body).not.toMatch(/laurl/i)
  })

  it('V4-25 an HLS session gets its key for FairPlay, with the vector of the media and the certificate', async () => {
    const { drm, session } = await open('hls')
    expect(drm).toEqual({
      keySystem: 'com.apple.fps',
      licenceUrl: `/play/${session}/fairplay`,
      certificateUrl: `/play/${session}/certificate`,
    })
    const { licence } = await ask(drm.licenceUrl)
    expect(licence).toMatchObject({ system: 'fairPlay', request: CHALLENGE.toString('base64') })
    expect(Object.values(licence.keys)).toEqual([film.key?.toString('hex')])
    expect(Object.values(licence.vectors)).toEqual([film.trackSet?.encryption?.iv])
  })

  it('fetches the certificate once, and only for sessions', async () => {
    const { drm } = await open('hls')
    const before = provider.requests.length
    const url = drm.certificateUrl ?? ''
    const answers = await Promise.all([service.app.inject({ url }), service.app.inject({ url })])
    for (const answer of answers) expect(answer.rawPayload).toEqual(CERTIFICATE)
    expect((await service.app.inject({ url })).rawPayload).toEqual(CERTIFICATE)
    expect(provider.requests.length - before).toBe(1)
    expect((await service.app.inject({ url: '/play/forged/certificate' })).statusCode).toBe(401)
  })

  it('keeps only a real certificate of the provider', async () => {
    const { settings } = service.context
    const opened = openDrmProvider(settings)
    const isRefused = async (fault: FakeDrmProvider['fault']) => {
      provider.fault = fault
      await expect(opened?.fairPlayCertificate()).rejects.toThrow()
    }
    for (const fault of ['page', 200, 404, 'closed'] as const) await isRefused(fault)
    expect(await timeoutsOf(async () => await isRefused('silent'))).toEqual([PATIENCE_MS])
    provider.fault = undefined
    expect(await opened?.fairPlayCertificate()).toEqual(CERTIFICATE)
    provider.fault = 'page'
    expect(await opened?.fairPlayCertificate()).toEqual(CERTIFICATE)
  })

  it('V7-21 tells again where the keys of a film are', async () => {
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non' }
    const { result } = await service.call(getVodLicense, input, actor.tokens)
    expect(result?.keySystem).toBe('com.widevine.alpha')
    expect((await ask(result?.licenceUrl ?? '')).status).toBe(200)
  })

  it('gives a licence from each process', async () => {
    const { drm } = await open()
    expect((await ask(drm.licenceUrl)).status).toBe(200)
    const other = openDrmProvider(service.context.settings)
    const { id: trackSetId = '' } = film.trackSet ?? {}
    const order = {
      system: 'widevine' as const,
      request: CHALLENGE,
      keys: [{ trackSetId, keyId: keyIdOf(film), key: film.key ?? Buffer.alloc(16), iv: null }],
      rules: { security: 'software' as const, hdcp: 'none' as const },
      accountId: actor.account.id,
      sessionId: 'session',
    }
    const licence = await other?.licence(order, service.clock.now())
    expect(JSON.parse(String(licence)).keys).toEqual({ [keyIdOf(film)]: film.key?.toString('hex') })
    // The key is stored, so a later licence needs one call.
    const before = provider.requests.length
    await other?.licence(order, service.clock.now())
    expect(provider.requests).toHaveLength(before + 1)
  })

  it('gives no key in the clear', async () => {
    const { session } = await open()
    const kid = Buffer.from(keyIdOf(film), 'hex').toString('base64url')
    expect((await ask(`/play/${session}/licence`, JSON.stringify({ kids: [kid] }))).code).toBe(-2370)
    const key = await service.app.inject({ url: `/play/${session}/key/${keyIdOf(film)}` })
    expect(key.json().error.code).toBe(-2370)
  })

  describe('downloads', () => {
    const CHALLENGE_TEXT = CHALLENGE.toString('base64')
    let undo: () => Promise<void>
    beforeAll(async () => {
      ;({ undo } = await changeConfigurationOf(service, { 'downloads.downloadWebEnabled': true }))
    })
    afterAll(async () => await undo())

    const languages = { idAudioLang: 'fra', idSubtitleLang: 'non' }
    const prepare = async (
      idAsset = film.id,
      who = actor,
      device: { hasHardwareSecurity?: boolean; hasFairPlay?: boolean } = {},
    ) => await service.call(downloadAsset, { idAsset, ...languages, ...device }, who.tokens)

    /** Asks for the licence of a prepared download on a new device. */
    async function issue(
      token: string,
      challenge: string | undefined = CHALLENGE_TEXT,
      who = actor,
      keySystem?: 'com.apple.fps',
    ) {
      const deviceKey = createECDH('prime256v1').generateKeys('base64url')
      return await service.call(downloadLicence, { token, deviceKey, challenge, keySystem }, who.tokens)
    }

    const licenceIn = (base64: string | null): FakeLicence =>
      JSON.parse(Buffer.from(base64 ?? '', 'base64').toString())

    it('A4.9-05 spec 39 get a persistent licence with their times, and no key in the clear', async () => {
      const { result: prepared } = await prepare()
      expect(prepared.licence).toMatchObject({ provider: name, keySystem: 'com.widevine.alpha' })
      const [shown] = (await service.call(assets, { assetIds: [film.id] }, actor.tokens)).result
      expect(shown?.downloadable).toBe(true)
      const { result } = await issue(prepared.licence?.token ?? '')
      const expiresAt = Math.floor(NOON / 1000) + 30 * 86_400
      expect(result).toMatchObject({ expiresAt, playSeconds: 48 * 3600 })
      const licence = licenceIn(result.licence)
      expect(licence).toMatchObject({
        system: 'widevine',
        request: CHALLENGE_TEXT,
        keys: { [keyIdOf(film)]: film.key?.toString('hex') },
        isHardwareOnly: false,
      })
      expect(Date.parse(licence.kept?.expiresAt ?? '')).toBe(expiresAt * 1000)
      expect(licence.kept?.playSeconds).toBe(48 * 3600)
      expect(JSON.stringify(result.sealed)).not.toContain(film.key?.toString('base64url'))
      // Licences of playback sessions are not persistent.
      expect((await ask((await open()).drm.licenceUrl)).licence.kept).toBeNull()
    })

    it('A4.9-05 on a device with FairPlay get a persistent licence with the vector of the media', async () => {
      const { url, licence: source } = (await prepare(film.id, actor, { hasFairPlay: true })).result
      expect(source).toMatchObject({ provider: name, keySystem: 'com.apple.fps' })
      expect(url).toContain('/manifest.mpd?')
      const certificate = await service.app.inject({ url: source?.certificateUrl ?? '' })
      expect(certificate.rawPayload).toEqual(CERTIFICATE)
      const { result } = await issue(source?.token ?? '', CHALLENGE_TEXT, actor, 'com.apple.fps')
      const licence = licenceIn(result.licence)
      expect(licence).toMatchObject({
        system: 'fairPlay',
        request: CHALLENGE_TEXT,
        keys: { [keyIdOf(film)]: film.key?.toString('hex') },
        vectors: { [keyIdOf(film)]: film.trackSet?.encryption?.iv },
      })
      expect(Date.parse(licence.kept?.expiresAt ?? '')).toBe(result.expiresAt * 1000)
      expect(licence.kept?.playSeconds).toBe(48 * 3600)
    })

    it('spec 49 a rental ends its persistent licence, and a refusal of the provider begins no rental', async () => {
      const rented = await make.asset('Encre', { inPackages: ['rentals'] })
      await addGrant(service.context.db, {
        accountId: actor.account.id,
        opens: { assetId: rented.id },
        source: 'operator',
        sourceId: 'rental',
        from: NOON - 1000,
        to: NOON + 30 * 86_400_000,
        slotSeconds: 2 * 86_400,
      })
      const token = (await prepare(rented.id)).result.licence?.token ?? ''
      provider.fault = 403
      expect((await issue(token)).error.code).toBe(-2370)
      provider.fault = undefined
      const started = async () =>
        (await service.context.db.select().from(grants).where(eq(grants.assetId, rented.id)))[0]?.startedAt
      expect(await started()).toBeNull()
      const { result } = await issue(token)
      expect(result.expiresAt).toBe(Math.floor(NOON / 1000) + 2 * 86_400)
      expect(Date.parse(licenceIn(result.licence).kept?.expiresAt ?? '')).toBe(result.expiresAt * 1000)
      expect(await started()).not.toBeNull()
    })

    it('demand hardware security for video above a height', async () => {
      const high = await make.asset('Apogée', {
        trackSet: buildTrackSet({ heights: [360, 1080] }),
        inPackages: ['cinema'],
      })
      const rule = await changeConfigurationOf(service, { 'protection.hardwareAboveHeight': 720 })
      for (const [said, heights, robustness] of [
        [undefined, [360], undefined],
        [true, [1080, 360], 'HW_SECURE_ALL'],
      ] as const) {
        const device = said === undefined ? {} : { hasHardwareSecurity: said }
        const { licence, qualities } = (await prepare(high.id, actor, device)).result
        expect([qualities.map(({ height }) => height), licence?.robustness]).toEqual([heights, robustness])
        const { result } = await issue(licence?.token ?? '')
        expect(licenceIn(result.licence).isHardwareOnly).toBe(said === true)
      }
      await rule.undo()
    })

    it('V4-27 are refused without a challenge, and where the right has ended', async () => {
      const leaver = await make.actor({ packages: { cinema: {} } })
      const token = (await prepare(film.id, leaver)).result.licence?.token ?? ''
      const deviceKey = createECDH('prime256v1').generateKeys('base64url')
      const bare = await service.call(downloadLicence, { token, deviceKey }, leaver.tokens)
      expect(bare.error.code).toBe(-400)
      for (const wrong of ['', '?', 'A'.repeat(70_000)])
        expect((await issue(token, wrong, leaver)).error.code).toBe(-400)
      await service.context.db.delete(grants).where(eq(grants.accountId, leaver.account.id))
      const before = provider.requests.length
      expect((await issue(token, CHALLENGE_TEXT, leaver)).error.code).toBe(-11)
      expect((await prepare(film.id, leaver)).error.code).toBe(-11)
      expect(provider.requests).toHaveLength(before)
    })
  })

  it('V4-27 spec 18 a device with FairPlay plays HLS, whatever it asks for', async () => {
    await make.asset('Deux minutes', { trackSet: buildTrackSet({ seconds: 120 }) })
    const rules = { kind: 'sequence', titles: ['Deux minutes'] }
    const channel = await make.channel('Jetée', rules, { inPackages: ['channels'] })
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    const languages = { idAudioLang: 'fra', idSubtitleLang: 'non' }
    const asked = { format: 'dash', hasFairPlay: true } as const
    for (const { result } of [
      await service.call(readAsset, { idAsset: film.id, ...languages, ...asked }, actor.tokens),
      await service.call(channelStream, { idChannel: channel.id, ...asked }, actor.tokens),
    ]) {
      expect(result.url).toMatch(/\/main\.m3u8$/)
      expect(result.drm).toMatchObject({ keySystem: 'com.apple.fps' })
    }
  })

  it('names Widevine and FairPlay in DASH, with their boxes, and not Clear Key', async () => {
    const { url } = await open()
    const { body } = await service.app.inject({ url })
    const boxes = [...body.matchAll(/urn:uuid:([0-9a-f-]{36})"><cenc:pssh>([^<]*)</g)]
    expect(new Set(boxes.map(([, system]) => system))).toEqual(
      new Set(['edef8ba9-79d6-4ace-a3c8-27dcd51d21ed', '94ce86fb-07ff-4f43-adb8-93d2fa968ca2']),
    )
    for (const [, system = '', base64 = ''] of boxes) {
      const box = Buffer.from(base64, 'base64')
      expect([box.readUInt32BE(0), box.toString('latin1', 4, 8)]).toEqual([box.length, 'pssh'])
      expect(box.toString('hex', 12, 28)).toBe(system.replaceAll('-', ''))
      expect(box.toString('hex')).toContain(keyIdOf(film))
    }
    expect(body).not.toContain('ClearKey')
  })

  it('names Widevine and FairPlay in HLS', async () => {
    const { url } = await open('hls')
    const { body } = await service.app.inject({ url: new URL('v360.m3u8', `http://x${url}`).pathname })
    expect(body).toMatch(
      /#EXT-X-KEY:METHOD=SAMPLE-AES,URI="data:text\/plain;base64,[^"]+",KEYID=0x[0-9a-f]{32},KEYFORMAT="urn:uuid:edef8ba9-79d6-4ace-a3c8-27dcd51d21ed"/,
    )
    expect(body).toMatch(
      /#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd:\/\/[^"]+",KEYFORMAT="com.apple.streamingkeydelivery"/,
    )
    expect(body).not.toContain('identity')
  })

  it('demands of the device what the configuration says', async () => {
    const askIn = async (format: 'dash' | 'hls') => await ask((await open(format)).drm.licenceUrl)
    const { undo } = await changeConfigurationOf(service, {
      'protection.security': 'hardware',
      'protection.hdcp': '1.0',
    })
    expect((await askIn('dash')).licence).toMatchObject({ isHardwareOnly: true, hdcp: '1.0' })
    expect((await askIn('hls')).licence).toMatchObject({ hdcp: '1.0' })
    const newest = await changeConfigurationOf(service, { 'protection.hdcp': '2.2' })
    expect((await askIn('dash')).licence).toMatchObject({ isHardwareOnly: true, hdcp: '2.2' })
    // castLabs publishes no FairPlay rule for a version of HDCP. The service refuses the licence instead of
    // sending a weaker rule.
    if (name === 'castlabs') expect((await askIn('hls')).code).toBe(-2370)
    else expect((await askIn('hls')).licence).toMatchObject({ hdcp: '2.2' })
    await newest.undo()
    await undo()
    expect((await askIn('dash')).licence).toMatchObject({ isHardwareOnly: false, hdcp: 'none' })
  })

  it('V4-27 video above a height needs hardware security: in the manifest, and in the licence', async () => {
    const high = await make.asset('Apogée', {
      trackSet: buildTrackSet({ heights: [360, 1080] }),
      inPackages: ['cinema'],
    })
    const start = async (format: 'dash' | 'hls', hasHardwareSecurity: boolean | undefined) => {
      const input = { idAsset: high.id, idAudioLang: 'fra', idSubtitleLang: 'non', format }
      const { url, drm } = (await service.call(readAsset, { ...input, hasHardwareSecurity }, actor.tokens))
        .result
      const { body } = await service.app.inject({ url })
      const { licence } = await ask(drm?.licenceUrl ?? '')
      return { isHigh: body.includes('1080'), robustness: drm?.robustness, licence }
    }
    const { undo } = await changeConfigurationOf(service, { 'protection.hardwareAboveHeight': 720 })
    for (const said of [undefined, false]) {
      expect(await start('dash', said)).toMatchObject({
        isHigh: false,
        robustness: undefined,
        licence: { isHardwareOnly: false },
      })
    }
    expect(await start('dash', true)).toMatchObject({
      isHigh: true,
      robustness: 'HW_SECURE_ALL',
      licence: { isHardwareOnly: true },
    })
    expect((await start('hls', undefined)).isHigh).toBe(true)
    await undo()
    expect(await start('dash', undefined)).toMatchObject({ isHigh: true, licence: { isHardwareOnly: false } })
  })

  it('asks the provider only if the session may have the key now', async () => {
    const leaver = await make.actor({ packages: { cinema: {} } })
    const { drm } = await open('dash', leaver)
    await service.context.db.delete(grants).where(eq(grants.accountId, leaver.account.id))
    const before = provider.requests.length
    expect(await ask(drm.licenceUrl)).toMatchObject({ status: 403, code: -2370 })
    expect(await ask(`${drm.licenceUrl}?keyId=${keyIdOf(other)}`)).toMatchObject({ code: -2370 })
    expect(await ask('/play/forged/widevine')).toMatchObject({ status: 401, code: -1 })
    expect(provider.requests).toHaveLength(before)
  })

  it('V4-27 refuses a request without its parameters', async () => {
    const { drm } = await open()
    expect(await ask(drm.licenceUrl, '')).toMatchObject({ status: 400, code: -400 })
    for (const keyId of ['x', 'F'.repeat(32), `${keyIdOf(film)}0`, ''])
      expect(await ask(`${drm.licenceUrl}?keyId=${keyId}`)).toMatchObject({ status: 400, code: -400 })
    expect((await ask(drm.licenceUrl, Buffer.alloc(70_000))).status).toBe(400)
    expect((await ask(`${drm.licenceUrl}?keyId=${keyIdOf(other)}`)).code).toBe(-2370)
  })

  it('says what the provider said: a refusal, that it is busy, a redirect, a failure, or nothing', async () => {
    const { drm } = await open()
    for (const [fault, code] of [
      [403, -2370],
      [429, -5],
      [302, -5],
      [500, -5],
      ['closed', -5],
    ] as const) {
      provider.fault = fault
      expect(await ask(drm.licenceUrl)).toMatchObject({ code })
    }
    provider.fault = 'silent'
    const timeouts = await timeoutsOf(async () => {
      expect(await ask(drm.licenceUrl)).toMatchObject({ code: -5 })
    })
    expect(timeouts).toContain(PATIENCE_MS)
    provider.fault = undefined
    expect((await ask(drm.licenceUrl)).status).toBe(200)
  })

  it('passes on no answer that cannot be a licence: an empty one, a page of a proxy, or a long one', async () => {
    for (const format of ['dash', 'hls'] as const) {
      const { drm } = await open(format)
      for (const fault of [200, 'page', 'long'] as const) {
        provider.fault = fault
        expect([fault, (await ask(drm.licenceUrl)).code]).toEqual([fault, -5])
      }
      provider.fault = undefined
      expect((await ask(drm.licenceUrl)).status).toBe(200)
    }
  })

  it('tells the operator why the provider refuses a licence that the viewer may have', async () => {
    const { drm } = await open()
    const warned = vi.spyOn(service.context.log, 'warn')
    expect((await ask(`${drm.licenceUrl}?keyId=${keyIdOf(other)}`)).code).toBe(-2370)
    expect(warned).not.toHaveBeenCalled()
    provider.fault = 401
    expect((await ask(drm.licenceUrl)).code).toBe(-2370)
    const err = expect.objectContaining({ message: 'The licence provider answered with status 401.' })
    expect(warned).toHaveBeenCalledWith({ err, system: 'widevine' }, 'the licence provider refused a licence')
    warned.mockRestore()
  })

  it('gives the key of a channel that a request names', async () => {
    const titles = ['One', 'Two']
    const parts: (typeof film)[] = []
    for (const title of titles)
      parts.push(await make.asset(title, { trackSet: buildTrackSet({ seconds: 120 }) }))
    const channel = await make.channel('Rive', { kind: 'sequence', titles }, { inPackages: ['channels'] })
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    const input = { idChannel: channel.id, format: 'dash' } as const
    const { drm } = (await service.call(channelStream, input, actor.tokens)).result
    for (const part of parts) {
      const { licence } = await ask(`${drm?.licenceUrl}?keyId=${keyIdOf(part)}`)
      expect(licence.keys).toEqual({ [keyIdOf(part)]: part.key?.toString('hex') })
    }
  })

  it('V7-22 askLicenseWV and askLicenseFP return where the keys of a channel are, each for its key system', async () => {
    const part = await make.asset('Three hours', { trackSet: buildTrackSet({ seconds: 120 }) })
    const rules = { kind: 'sequence', titles: ['Three hours'] }
    const channel = await make.channel('Grève', rules, { inPackages: ['channels'] })
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    for (const [operation, keySystem] of [
      [askLicenseWV, 'com.widevine.alpha'],
      [askLicenseFP, 'com.apple.fps'],
    ] as const) {
      const { result } = await service.call(operation, { idChannel: channel.id }, actor.tokens)
      expect(result?.keySystem).toBe(keySystem)
      expect(result?.certificateUrl !== undefined).toBe(keySystem === 'com.apple.fps')
      const { licence } = await ask(`${result?.licenceUrl}?keyId=${keyIdOf(part)}`)
      expect(Object.values(licence.keys)).toEqual([part.key?.toString('hex')])
    }
  })

  it('gives media of older versions, which state no vector, licences of Widevine only', async () => {
    const trackSet = buildTrackSet()
    const old = { ...trackSet, encryption: { keyId: trackSet.encryption?.keyId ?? '' } }
    const { id } = await make.asset('Le Phare', { trackSet: old, inPackages: ['cinema'] })
    const before = provider.requests.length
    for (const [format, code] of [
      ['hls', -2370],
      ['dash', 0],
    ] as const) {
      expect(provider.requests).toHaveLength(before)
      const input = { idAsset: id, idAudioLang: 'fra', idSubtitleLang: 'non', format } as const
      const { drm } = (await service.call(readAsset, input, actor.tokens)).result
      expect(await ask(drm?.licenceUrl ?? '')).toMatchObject({ code })
    }
  })

  it('treats a key that several TrackSets share as one key, with one address', async () => {
    const titles = ['Three', 'Four']
    const key = randomBytes(16)
    const { encryption } = buildTrackSet()
    const addresses: (string | undefined)[] = []
    for (const title of titles) {
      const trackSet = { ...buildTrackSet({ seconds: 120 }), encryption }
      const { id } = await make.asset(title, { trackSet, contentKey: key, inPackages: ['cinema'] })
      const input = { idAsset: id, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'hls' } as const
      const { url } = (await service.call(readAsset, input, actor.tokens)).result
      const { body } = await service.app.inject({ url: new URL('v360.m3u8', `http://x${url}`).pathname })
      addresses.push(/URI="(skd:[^"]+)"/.exec(body)?.[1])
    }
    expect(addresses[0]).toMatch(/^skd:/)
    expect(addresses[1]).toBe(addresses[0])
    const channel = await make.channel('Large', { kind: 'sequence', titles }, { inPackages: ['channels'] })
    await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    const input = { idChannel: channel.id, format: 'dash' } as const
    const { drm } = (await service.call(channelStream, input, actor.tokens)).result
    const { licence } = await ask(drm?.licenceUrl ?? '')
    expect(licence.keys).toEqual({ [encryption?.keyId ?? '']: key.toString('hex') })
  })
})

describe('tokens of licence providers', () => {
  const SECRETS: Record<string, (now: () => number) => Provider> = {
    castlabs: (now) => wrong(fakeCastLabs(now), fakeCastLabs(now, randomBytes(32))),
    axinom: (now) => wrong(fakeAxinom(now), fakeAxinom(now, randomBytes(32))),
    doverunner: (now) => fakeDoveRunner(now, 'another access key'),
  }

  /** A provider whose secret differs from the secret in the settings. */
  function wrong(provider: Provider, { settings }: Provider): Provider {
    return { ...provider, settings }
  }

  it.each(Object.keys(SECRETS))('signed with another secret are refused by %s', async (name) => {
    const provider = new FakeDrmProvider(SECRETS[name]?.(() => NOON) as Provider)
    const service = await startTestService('embedded', await provider.start())
    const make = buildersOf(service.context)
    const film = await make.asset('La Houle', { inPackages: ['cinema'] })
    const actor = await make.actor({ packages: { cinema: {} } })
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    const { drm } = (await service.call(readAsset, input, actor.tokens)).result
    const answer = await service.app.inject({
      method: 'POST',
      url: drm?.licenceUrl ?? '',
      payload: CHALLENGE,
    })
    expect(answer.json().error.code).toBe(-2370)
    expect(provider.refusals).toEqual([name === 'doverunner' ? 'the hash' : 'the signature'])
    await service.remove()
    await provider.stop()
  })
})
