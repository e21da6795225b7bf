import { downloadAsset } from '@ondine/contract/downloads'
import { getVodLicense, listAssetTags, readAsset, readTrailer, testAsset } from '@ondine/contract/playback'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { DATABASES, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { GRANT_STATUS } from '../../rights/entitlements/grants.service.ts'

const DAY = 86_400_000

describe.each(DATABASES)('the right to play, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let film: Awaited<ReturnType<typeof make.asset>>

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    film = await make.asset('La Houle', { inPackages: ['cinema'], moralityLevel: 3 })
  })
  afterAll(async () => await service.remove())

  const languages = { idAudioLang: 'fra', idSubtitleLang: 'non' }
  const read = async (idAsset: number, tokens = {}) =>
    await service.call(readAsset, { idAsset, ...languages, format: 'dash' }, tokens)

  const viewers: [who: string, actor: Parameters<typeof make.actor>[0] | null, code: number][] = [
    ['a visitor', null, -1],
    ['a subscriber', { packages: { cinema: {} } }, 0],
    ['an account without a package', {}, -11],
    ['an account with another package', { packages: { sport: {} } }, -11],
    ['a suspended subscriber', { status: 'SUSPENDED', packages: { cinema: {} } }, -2409],
    [
      'an account that was never activated',
      { status: 'PENDING_ACTIVATION', packages: { cinema: {} } },
      -2334,
    ],
    ['a banned account', { status: 'BANNED', packages: { cinema: {} } }, -1],
    ['an account whose subscription has ended', { packages: { cinema: { to: NOON } } }, -11],
    ['an account whose subscription begins tomorrow', { packages: { cinema: { from: NOON + DAY } } }, -11],
    [
      'an account that has cancelled, until the end',
      { packages: { cinema: { to: NOON + DAY, statusId: GRANT_STATUS.cancelled } } },
      0,
    ],
    [
      'an account that has not paid yet',
      { packages: { cinema: { statusId: GRANT_STATUS.pendingPayment } } },
      -11,
    ],
    [
      'a child below the level',
      { packages: { cinema: {} }, profile: { kid: true, maximumMoralityLevel: 2 } },
      -404,
    ],
    [
      'a child at the level',
      { packages: { cinema: {} }, profile: { kid: true, maximumMoralityLevel: 3 } },
      0,
    ],
    [
      'an adult below the level, without the parental code',
      { packages: { cinema: {} }, profile: { maximumMoralityLevel: 2 } },
      -1612,
    ],
    ['an adult without limits', { packages: { cinema: {} }, profile: { maximumMoralityLevel: 0 } }, 0],
  ]

  it.each(viewers)('V3-18 V4-12 V4-13 %s', async (_who, options, code) => {
    const actor = options && (await make.actor(options))
    const tokens = actor?.tokens ?? {}
    const tested = await service.call(testAsset, { idAsset: film.id }, tokens)
    const answer = await read(film.id, tokens)
    const licence = await service.call(getVodLicense, { idAsset: film.id, ...languages }, tokens)
    expect([tested.error.code, answer.error.code, licence.error.code]).toEqual([code, code, code])
    if (code !== 0) {
      // A refusal contains no address of a manifest or a licence.
      expect(JSON.stringify([tested.error, answer.error, licence.error])).not.toMatch(/play\//)
      return
    }
    expect(tested.result).toEqual({
      playable: true,
      medias: [
        { idMedia: expect.any(Number), audioLanguages: ['fra', 'eng'], subtitleLanguages: ['fra', 'eng'] },
      ],
    })
    expect(answer.result).toMatchObject({
      url: expect.stringMatching(/^\/play\/[^/]+\/manifest\.mpd$/),
      seek: 0,
      drm: { keySystem: 'org.w3.clearkey', licenceUrl: expect.stringMatching(/^\/play\/[^/]+\/licence$/) },
    })
  })

  it.each([
    ['dash', /manifest\.mpd$/, 'application/dash+xml'],
    ['hls', /main\.m3u8$/, 'application/vnd.apple.mpegurl'],
  ] as const)(
    'V3-38 describes a %s stream: address, content type, licence server',
    async (format, path, type) => {
      const { tokens } = await make.actor({ packages: { cinema: {} } })
      const { result } = await service.call(readAsset, { idAsset: film.id, ...languages, format }, tokens)
      expect(result.url).toMatch(path)
      const manifest = await service.app.inject({ url: result.url })
      expect([manifest.statusCode, manifest.headers['content-type']]).toEqual([
        200,
        expect.stringContaining(type),
      ])
      // The address of the licence has the token of the session.
      const [, , session] = result.url.split('/')
      expect(result.drm).toEqual({ keySystem: 'org.w3.clearkey', licenceUrl: `/play/${session}/licence` })
    },
  )

  it.each(['AUTODETECT', 'SMOOTH', 'YOUTUBE', 'OTHER', 'HLS', ''])(
    'V3-38 refuses the stream type %j, which nothing here delivers',
    async (format) => {
      const { tokens } = await make.actor({ packages: { cinema: {} } })
      const { statusCode, json } = await service.app.inject({
        method: 'POST',
        url: '/proxy/readAsset',
        headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
        payload: `idAsset=${film.id}&idAudioLang=fra&idSubtitleLang=non&format=${format}`,
      })
      expect([statusCode, json().error.details.fields]).toEqual([
        400,
        [expect.objectContaining({ field: 'format' })],
      ])
    },
  )

  it('plays content in no package for every account, and for no visitor', async () => {
    const own = await make.asset('My film')
    expect((await read(own.id, (await make.actor()).tokens)).status).toBe(200)
    expect((await read(own.id)).error.code).toBe(-1)
  })

  it('hides adult content from children, and asks everyone else for the code', async () => {
    const adult = await make.asset('For adults', { adult: true })
    expect((await read(adult.id, (await make.actor({ profile: { kid: true } })).tokens)).error.code).toBe(
      -404,
    )
    expect((await read(adult.id, (await make.actor()).tokens)).error.code).toBe(-1612)
  })

  it('plays nothing that is unknown, in preparation, withdrawn, not yet valid or expired', async () => {
    const { tokens } = await make.actor()
    const preparing = await make.asset('Preparing', { trackSet: null })
    const withdrawn = await make.asset('Withdrawn', { availability: 'withdrawn' })
    const early = await make.asset('Early', { validFrom: NOON + 1000 })
    const late = await make.asset('Late', { validTo: NOON })
    const codes = []
    for (const id of [999_999, preparing.id, withdrawn.id, early.id, late.id]) {
      codes.push((await read(id, tokens)).error.code)
    }
    expect(codes).toEqual([-404, -1602, -1605, -1605, -1605])
    expect((await read(early.id, tokens)).error.details?.availableFrom).toBe(NOON / 1000 + 1)
    expect((await read(late.id, tokens)).error.details?.availableFrom).toBeUndefined()
    const { id: secret } = await make.asset('Secret', { validFrom: NOON + 1000, inPackages: ['cinema'] })
    const { error } = await read(secret, tokens)
    expect([error.code, error.details?.availableFrom]).toEqual([-1605, undefined])
  })

  it('applies a level that a parent lowers at once, and plays nothing for a deleted profile', async () => {
    const actor = await make.actor({
      packages: { cinema: {} },
      profile: { kid: true, maximumMoralityLevel: 6 },
    })
    expect((await read(film.id, actor.tokens)).status).toBe(200)
    await service.context.db
      .update(profiles)
      .set({ maximumMoralityLevel: 1 })
      .where(eq(profiles.id, actor.profileId))
    expect((await read(film.id, actor.tokens)).error.code).toBe(-404)
    await service.context.db.delete(profiles).where(eq(profiles.id, actor.profileId))
    expect((await read(film.id, actor.tokens)).error.code).toBe(-1)
  })

  it('V7-18 V7-20 names invalid fields', async () => {
    const { tokens } = await make.actor()
    const answer = await service.app.inject({
      method: 'POST',
      url: '/proxy/readAsset',
      headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'idAsset=abc&idAudioLang=fra&format=smooth',
    })
    const body = answer.json()
    expect([answer.statusCode, body.error.code]).toEqual([400, -400])
    expect(body.error.details.fields.map(({ field }: { field: string }) => field)).toEqual([
      'idAsset',
      'format',
    ])
  })

  it('A8.1-04 V7-20 V7-21 V7-25 the calls that open an asset require both languages', async () => {
    const { tokens } = await make.actor()
    for (const [fields, code] of [
      [{}, -1507],
      [{ idSubtitleLang: 'non' }, -1507],
      [{ idAudioLang: '', idSubtitleLang: 'non' }, -1507],
      [{ idAudioLang: 'fra' }, -1508],
      [{ idAudioLang: 'fra', idSubtitleLang: '' }, -1508],
    ] as const) {
      const input = { idAsset: film.id, ...fields }
      const answers = await Promise.all([
        service.call(readAsset, { ...input, format: 'dash' }, tokens),
        service.call(getVodLicense, input, tokens),
        service.call(downloadAsset, input, tokens),
      ])
      expect(answers.map(({ error }) => error.code)).toEqual([code, code, code])
    }
  })

  it('V4-22 V7-24 plays a trailer for a visitor, without encryption', async () => {
    const trailer = buildTrackSet({ seconds: 20, encrypted: false, subtitles: [] })
    const { trailerMediaId } = await make.asset('With trailer', { trailer })
    const { result } = await service.call(readTrailer, { idMedia: trailerMediaId, format: 'hls' })
    expect(result).toEqual({ url: expect.stringMatching(/\/main\.m3u8$/), seek: 0, drm: null })
    expect((await service.call(readTrailer, { idMedia: 999_999, format: 'dash' })).error.code).toBe(-1602)
    // The main media of an asset cannot be requested as a trailer, although its id is known.
    const [main] = (
      await service.call(
        testAsset,
        { idAsset: film.id },
        (
          await make.actor({ packages: { cinema: {} } })
        ).tokens,
      )
    ).result.medias
    expect((await service.call(readTrailer, { idMedia: main!.idMedia, format: 'dash' })).error.code).toBe(
      -1602,
    )
  })

  it('hides trailers of titles that a child may not see', async () => {
    const trailer = buildTrackSet({ seconds: 20, encrypted: false })
    const { trailerMediaId } = await make.asset('Thriller', { trailer, moralityLevel: 5 })
    const child = await make.actor({ profile: { kid: true, maximumMoralityLevel: 2 } })
    const refused = await service.call(readTrailer, { idMedia: trailerMediaId, format: 'dash' }, child.tokens)
    expect(refused.error.code).toBe(-1602)
  })

  it('V3-29 V3-30 V7-19 lists tags and chapters by time, with a chapter at 0 from the intro', async () => {
    const marked = await make.asset('Marked', {
      trackSet: buildTrackSet({ seconds: 100 }),
      marks: [
        { type: 'credit', start: 90, end: 100, label: 'Générique de fin' },
        { type: 'chapter', start: 60, end: 60, label: 'Deux' },
        { type: 'intro', start: 4, end: 12, label: 'Générique' },
        { type: 'chapter', start: 20, end: 20, label: 'Un' },
        { type: 'other', start: 1, end: 2, label: 'Logo' },
      ],
    })
    const { result } = await service.call(listAssetTags, { idAsset: marked.id })
    expect(result).toEqual({
      tags: [
        { type: 'other', timestamp: 1, end: 2, label: 'Logo' },
        { type: 'intro', timestamp: 4, end: 12, label: 'Générique' },
        { type: 'credit', timestamp: 90, end: 100, label: 'Générique de fin' },
      ],
      chapters: [
        { type: 'chapter', timestamp: 0, end: 20, label: 'Générique' },
        { type: 'chapter', timestamp: 20, end: 60, label: 'Un' },
        { type: 'chapter', timestamp: 60, end: 100, label: 'Deux' },
      ],
    })
    const plain = await service.call(listAssetTags, { idAsset: film.id })
    expect(plain.result).toEqual({ tags: [], chapters: [] })
    expect((await service.call(listAssetTags, { idAsset: 999_999 })).error.code).toBe(-404)
    const child = await make.actor({ profile: { kid: true, maximumMoralityLevel: 1 } })
    expect((await service.call(listAssetTags, { idAsset: film.id }, child.tokens)).error.code).toBe(-404)
  })
})
