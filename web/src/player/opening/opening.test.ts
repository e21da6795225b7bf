import { contentData } from '@ondine/contract/catalogue'
import { ERRORS } from '@ondine/contract/errors'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import type { Opened } from '../content/playable.ts'
import { channel, content, episode, programmeFrom } from '../content/test-content.ts'
import { trailerPlayable } from '../content/trailer-playable.ts'
import { openAsset } from './open-asset.ts'
import { openChannel } from './open-channel.ts'
import { openRecording } from './open-recording.ts'
import { openTrailer } from './open-trailer.ts'
import type { Opening, OpeningService } from './opening.ts'
import { fetchProgrammes, programmeAt } from './programmes.ts'

const DRM = { keySystem: 'org.w3.clearkey', licenceUrl: '/licence/1' } as const

const RECORDED = {
  url: '/play/t/main.m3u8',
  seek: 60,
  drm: DRM,
  session: 'abc',
  isGrowing: false,
  startsAt: 1000,
}

const JOURNAL = {
  id: 7,
  idAsset: null,
  title: 'Le Journal',
  subtitle: '',
  synopsis: 'Ce soir.',
  season: null,
  episode: null,
  image: null,
  state: 'recorded',
  position: 0,
  startutc: 1060,
}

const ANSWERS: Record<string, unknown> = {
  testAsset: { playable: true, medias: [] },
  listAssetTags: {
    tags: [{ type: 'intro', timestamp: 5, end: 20, label: 'Intro' }],
    chapters: [{ type: 'chapter', timestamp: 0, end: 120, label: 'Le départ' }],
  },
  readAsset: { url: '/play/t/manifest.mpd', seek: 0, drm: DRM, session: 'abc' },
  getVodLicense: DRM,
  readTrailer: { url: '/play/t/trailer.mpd', seek: 0, drm: null },
  channelStream: { url: '/play/t/live.mpd', drm: DRM, session: 'abc', startsAt: null },
  askLicenseWV: DRM,
  readRecording: JOURNAL,
  listRecordings: { count: 1, records: [JOURNAL] },
  playRecording: RECORDED,
  askLicenseFP: { ...DRM, keySystem: 'com.apple.fps' },
}

/** A fake service that records the order of its calls. */
function service(answers: Record<string, unknown> = {}, over: Partial<OpeningService> = {}) {
  const asked: string[] = []
  const inputs: Record<string, unknown> = {}
  const reported: unknown[] = []
  const prepared: string[] = []
  const begun: string[] = []
  const note = <T>(name: string, value: T): T => {
    asked.push(name)
    return value
  }
  const built: OpeningService = {
    loadScripts: async () => note('scripts', undefined),
    signedIn: async () => note('signedIn', true),
    call: async (operation, input) => {
      asked.push(operation.name)
      inputs[operation.name] = input
      const answer = { ...ANSWERS, ...answers }[operation.name]
      if (answer instanceof Error) throw answer
      // Returns a copy of the answer that the test has set for this call.
      return JSON.parse(JSON.stringify(answer ?? null))
    },
    callQuietly: async (operation, input) => await built.call(operation, input),
    begun: (session) => void begun.push(session),
    content: async () => note('content', content),
    related: async () => note('related', [{ type: 'asset' as const, payload: { ...episode, idAsset: 30 } }]),
    channels: async () => note('channels', [channel]),
    prepare: ({ url }) => void prepared.push(note('prepare', url)),
    defaultLanguages: () => ({ audio: 'eng', sub: 'non' }),
    chosenLanguages: () => ({}),
    page: () => ({ page_url: 'https://ondine.test/player', device_ua: 'test' }),
    now: () => 0,
    report: (error) => void reported.push(error),
    ...over,
  }
  return { service: built, asked, inputs, reported, prepared, begun }
}

function refusal(name: keyof typeof ERRORS): ApiError {
  return new ApiError({ ...ERRORS[name], message: name })
}

function opened(opening: Opening): Opened {
  if (opening.kind !== 'opened') throw new Error('The opening led to the sign-in')
  return opening.opened
}

test('V4-17 a visitor is sent to the sign-in after the request for the scripts, without any other call', async () => {
  const { service: visitor, asked } = service({}, { signedIn: async () => false })
  expect(await openAsset({ kind: 'asset', id: 12 }, visitor)).toEqual({ kind: 'signIn' })
  expect(asked).toEqual(['scripts'])
})

test('V4-18 V4-20 V4-21 asset, test, tags; read; licence, in this order', async () => {
  const { service: member, asked, inputs } = service()
  const { streamUrl, licenseData, session, segments } = opened(
    await openAsset({ kind: 'asset', id: 12 }, member),
  )
  expect(asked).toEqual([
    'scripts',
    'signedIn',
    'content',
    'testAsset',
    'listAssetTags',
    'readAsset',
    'prepare',
    'getVodLicense',
    'related',
  ])
  expect({ streamUrl, licenseData, session }).toEqual({
    streamUrl: '/play/t/manifest.mpd',
    licenseData: DRM,
    session: 'abc',
  })
  expect(segments.intro).toHaveLength(1)
  expect(inputs['readAsset']).toMatchObject({ idAsset: 12, idAudioLang: 'fra', idSubtitleLang: 'non' })
})

test('V4-20 a refusal of the test or the read call stops the opening', async () => {
  const tested = service({ testAsset: refusal('noViewingRights') })
  await expect(openAsset({ kind: 'asset', id: 12 }, tested.service)).rejects.toMatchObject({ code: -11 })
  expect(tested.asked).not.toContain('getVodLicense')
  const read = service({ readAsset: refusal('tooManySessions') })
  await expect(openAsset({ kind: 'asset', id: 12 }, read.service)).rejects.toMatchObject({ code: -440 })
  expect(read.asked).not.toContain('getVodLicense')
})

test('uses the keys of the read session; tolerates -2370 from the licence call, but no other refusal', async () => {
  const other = { keySystem: 'org.w3.clearkey', licenceUrl: '/licence/other' }
  const licenceWith = async (answers: Record<string, unknown>) =>
    opened(await openAsset({ kind: 'asset', id: 12 }, service(answers).service)).licenseData
  expect(await licenceWith({ getVodLicense: other })).toEqual(DRM)
  expect(await licenceWith({ getVodLicense: refusal('licenceRefused') })).toEqual(DRM)
  const readWithout = { url: '/a.mpd', seek: 0, drm: null, session: 'abc' }
  expect(await licenceWith({ readAsset: readWithout, getVodLicense: other })).toEqual(other)
  await expect(licenceWith({ getVodLicense: refusal('accountSuspended') })).rejects.toMatchObject({
    code: -2409,
  })
})

test('V4-23 the opening contains related titles, the next asset and the playable', async () => {
  const { playable, nextAsset, related } = opened(
    await openAsset({ kind: 'asset', id: 12 }, service().service),
  )
  expect(playable).toMatchObject({
    id: 12,
    title: 'La ligne de grain',
    isSerie: true,
    serieId: 40,
    live: false,
  })
  expect(nextAsset?.target).toEqual({ kind: 'asset', id: 13 })
  expect(related).toHaveLength(1)
})

test('V3-35 a playable has the same fields for an asset and for a channel', async () => {
  const asset = opened(await openAsset({ kind: 'asset', id: 12 }, service().service)).playable
  expect(asset).toMatchObject({
    id: 12,
    title: episode.title,
    backgroundImage: null,
    detailRoute: episode.detailRoute,
    live: false,
    isSerie: true,
    serieId: 40,
    description: episode.description,
    metadatas: episode.directMetadata,
    isIncludedInUserOffers: true,
    medias: episode.medias,
  })
  const live = opened(await openChannel({ kind: 'channel', id: 1 }, service().service)).playable
  expect(live).toMatchObject({
    id: 1,
    title: channel.name,
    backgroundImage: null,
    detailRoute: channel.detailRoute,
    live: true,
    isSerie: false,
    serieId: -1,
    description: channel.synopsis,
    metadatas: channel.metadatas,
    isIncludedInUserOffers: true,
    medias: [],
  })
  expect(Object.keys(live).toSorted()).toEqual(Object.keys(asset).toSorted())
})

test.each([
  ['has an end', true, 1500, 2000],
  ['that begins while its page is open has an end too', false, 1001, 2000],
  ['that ends while its page is open, and may be replayed, has none', true, 2001, null],
  ['that is replayed has none', false, 3000, null],
])(
  'V4-44 a live event %s; it has the controls of a film, because its stream is a film',
  async (_, live, nowSeconds, endsAt) => {
    const event = { ...episode, live, directMetadata: { TS_STARTUTC: '1000', TS_ENDUTC: '2000' } }
    const page = { ...content, content: { type: 'asset', payload: event } } as const
    const { service: member } = service({}, { content: async () => page, now: () => nowSeconds * 1000 })
    const { playable } = opened(await openAsset({ kind: 'asset', id: 12 }, member))
    expect(playable).toMatchObject({ live: false, endsAt })
  },
)

test.each([
  ['at its live edge', {}, null],
  ['from its beginning', { start: 0 }, 1005],
  ['from a place', { start: 60 }, 1065],
])('19.3 an event that a channel carries plays like the channel, %s', async (_, asked, start) => {
  const event = { ...episode, directMetadata: { TS_STARTUTC: '1000', TS_ENDUTC: '2000' } }
  const page = { ...content, content: { type: 'asset', payload: event } } as const
  const readAsset = {
    ...(ANSWERS['readAsset'] as object),
    broadcast: { startsAt: 1005, endsAt: 2000, isOn: true },
  }
  const { service: member } = service({ readAsset }, { content: async () => page, now: () => 1500_000 })
  const { playable, assetStartTime, lengthSeconds } = opened(
    await openAsset({ kind: 'asset', id: 12, ...asked }, member),
  )
  expect(playable).toMatchObject({
    kind: 'asset',
    live: true,
    startOver: true,
    timeshift: true,
    endsAt: 2000,
  })
  expect([assetStartTime, lengthSeconds]).toEqual([start, 1000])
})

test('19.3 the length of an event is the one that the service has now', async () => {
  const event = { ...episode, directMetadata: { TS_STARTUTC: '1000', TS_ENDUTC: '2000' } }
  const page = { ...content, content: { type: 'asset', payload: event } } as const
  const broadcast = { startsAt: 1000, endsAt: 2600, isOn: true }
  const readAsset = { ...(ANSWERS['readAsset'] as object), broadcast }
  const { service: member } = service({ readAsset }, { content: async () => page, now: () => 1500_000 })
  const { lengthSeconds, playable } = opened(await openAsset({ kind: 'asset', id: 12 }, member))
  expect([lengthSeconds, playable.endsAt]).toEqual([1600, 2600])
})

test.each([
  ['was over', false, 700, 2500, 700],
  ['has just ended, and whose last segments may still arrive,', true, 0, 2001, 0],
])('19.3 an event that %s plays like a film', async (_, isOn, seek, nowSeconds, start) => {
  const times = { TS_STARTUTC: '1000', TS_ENDUTC: '2000' }
  const event = { ...episode, durationInSeconds: 1000, directMetadata: times }
  const page = { ...content, content: { type: 'asset', payload: event } } as const
  const readAsset = {
    ...(ANSWERS['readAsset'] as object),
    seek,
    broadcast: { startsAt: 1000, endsAt: 2000, isOn },
  }
  const over = { content: async () => page, now: () => nowSeconds * 1000 }
  const { playable, assetStartTime, lengthSeconds } = opened(
    await openAsset({ kind: 'asset', id: 12 }, service({ readAsset }, over).service),
  )
  expect(playable).toMatchObject({ live: false, startOver: false, endsAt: null })
  expect([assetStartTime, lengthSeconds]).toEqual([start, undefined])
})

test('an asset plays without its marks, and the error is reported', async () => {
  const { service: member, reported } = service({ listAssetTags: refusal('internal') })
  const { segments } = opened(await openAsset({ kind: 'asset', id: 12 }, member))
  expect(segments.chapters).toEqual([])
  expect(reported).toHaveLength(1)
})

test('V4-30 for an episode of two minutes the start counts beyond 6 s and more than 6 s before the end', async () => {
  const startOf = async (seek: number, start?: number, continues?: boolean) => {
    const { service: member } = service({ readAsset: { url: '/a.mpd', seek, drm: null, session: 'abc' } })
    return opened(await openAsset({ kind: 'asset', id: 12, start, continues }, member)).assetStartTime
  }
  expect(await startOf(6)).toBeNull()
  expect(await startOf(6.1)).toBe(6.1)
  expect(await startOf(113.9)).toBe(113.9)
  expect(await startOf(114)).toBeNull()
  expect(await startOf(40, 60)).toBe(60)
  expect(await startOf(40, 5)).toBeNull()
  // Playback that was interrupted, or comes from another screen, continues at its exact place.
  expect(await startOf(40, 5, true)).toBe(5)
  expect(await startOf(40, 118, true)).toBe(118)
  expect(await startOf(40, 0, true)).toBeNull()
  expect(await startOf(40, undefined, true)).toBe(40)
})

test('V4-24 opens a channel: sign-in, stream, licence', async () => {
  const { service: member, asked } = service()
  const { playable, licenseData } = opened(await openChannel({ kind: 'channel', id: 1 }, member))
  expect(asked).toEqual(['scripts', 'signedIn', 'channels', 'channelStream', 'prepare', 'askLicenseWV'])
  expect(playable).toMatchObject({ id: 1, live: true, timeshift: false, detailRoute: '/channel/ondine-1' })
  expect(licenseData).toEqual(DRM)
  const visitor = service({}, { signedIn: async () => false })
  expect(await openChannel({ kind: 'channel', id: 1 }, visitor.service)).toEqual({ kind: 'signIn' })
})

test('V4-25 V7-22 a stream that ends in .m3u8 requests the FairPlay licence of its channel', async () => {
  const {
    service: member,
    asked,
    inputs,
  } = service({
    channelStream: { url: '/play/t/live.m3u8', drm: null, session: 'abc', startsAt: null },
  })
  await openChannel({ kind: 'channel', id: 1 }, member)
  expect(asked).toContain('askLicenseFP')
  expect(asked).not.toContain('askLicenseWV')
  expect(inputs.askLicenseFP).toEqual({ idChannel: 1 })
})

test('a channel that is not in the list fails as not found', async () => {
  await expect(openChannel({ kind: 'channel', id: 9 }, service().service)).rejects.toMatchObject({
    code: -10,
  })
})

test('a stream that was requested ahead of time is not requested again', async () => {
  const { service: member, asked } = service()
  const known = Promise.resolve({ url: '/play/ahead.mpd', drm: DRM, session: 'ahead', startsAt: null })
  expect(opened(await openChannel({ kind: 'channel', id: 1 }, member, known)).session).toBe('ahead')
  expect(asked).not.toContain('channelStream')
})

test.each<[string, string, (service: OpeningService) => Promise<Opening>]>([
  ['asset', 'getVodLicense', (member) => openAsset({ kind: 'asset', id: 12 }, member)],
  ['asset', 'testAsset', (member) => openAsset({ kind: 'asset', id: 12 }, member)],
  ['recording', 'readRecording', (member) => openRecording({ kind: 'recording', id: 7 }, member)],
  ['channel', 'askLicenseWV', (member) => openChannel({ kind: 'channel', id: 1 }, member)],
])('A8.1-03 the session of an opened %s is announced even if %s is refused', async (_, refused, open) => {
  const { service: member, begun } = service({ [refused]: refusal('accountSuspended') })
  await expect(open(member)).rejects.toMatchObject({ code: ERRORS.accountSuspended.code })
  expect(begun).toEqual(['abc'])
})

test('A6-06 a stream that was requested ahead of time gives way to one with the code', async () => {
  const { service: member, asked, prepared, begun } = service()
  member.callQuietly = () => Promise.reject(refusal('invalidAccessCode'))
  const known = Promise.resolve({ url: '/play/ahead.mpd', drm: DRM, session: 'ahead', startsAt: null })
  const { session, streamUrl } = opened(await openChannel({ kind: 'channel', id: 1 }, member, known))
  expect([session, streamUrl]).toEqual(['abc', '/play/t/live.mpd'])
  expect(asked.filter((name) => name === 'askLicenseWV')).toHaveLength(1)
  expect(prepared).toEqual(['/play/ahead.mpd', '/play/t/live.mpd'])
  expect(begun).toEqual(['ahead', 'abc'])
  // Other refusals of the licence stop the opening.
  member.callQuietly = () => Promise.reject(refusal('accountSuspended'))
  const again = openChannel({ kind: 'channel', id: 1 }, member, known)
  await expect(again).rejects.toMatchObject({ code: ERRORS.accountSuspended.code })
})

test('V4-31 a channel with a start time requests it from the service, and ignores the stream requested ahead', async () => {
  const at = { url: '/play/t/live.mpd#t=posix:1000', drm: DRM, session: 'abc', startsAt: 1000 }
  const { service: member, inputs } = service({ channelStream: at })
  const known = Promise.resolve({ url: '/play/ahead.mpd', drm: DRM, session: 'ahead', startsAt: null })
  const { session, assetStartTime } = opened(
    await openChannel({ kind: 'channel', id: 1, start: 1000 }, member, known),
  )
  expect([session, assetStartTime]).toEqual(['abc', 1000])
  expect(inputs['channelStream']).toMatchObject({ start: 1000, adsMacro: { device_ua: 'test' } })
})

test('V4-31 a channel plays live when its start time is out of reach, and other refusals stay', async () => {
  const refusing = (name: Parameters<typeof refusal>[0]) => {
    const { service: member, asked } = service()
    const over: OpeningService['call'] = async (operation, input) => {
      if (operation.name === 'channelStream' && 'start' in input && input.start !== undefined)
        throw refusal(name)
      return await member.call(operation, input)
    }
    return { asked, member: { ...member, call: over } }
  }
  const { member, asked } = refusing('noMediaFound')
  const { session } = opened(await openChannel({ kind: 'channel', id: 1, start: 1000 }, member))
  expect(session).toBe('abc')
  expect(asked).toContain('channelStream')
  for (const name of ['tooManySessions', 'startOverForbidden'] as const) {
    const late = openChannel({ kind: 'channel', id: 1, start: 1000 }, refusing(name).member)
    await expect(late).rejects.toMatchObject({ code: ERRORS[name].code })
  }
  // A viewer whose playback was interrupted has not asked for the programme at the start.
  const interrupted = { kind: 'channel', id: 1, start: 1000, continues: true } as const
  for (const name of ['startOverForbidden', 'notFound'] as const)
    expect(opened(await openChannel(interrupted, refusing(name).member)).session).toBe('abc')
  const full = openChannel(interrupted, refusing('tooManySessions').member)
  await expect(full).rejects.toMatchObject({ code: ERRORS.tooManySessions.code })
})

test('V4-22 a trailer plays from its media without sign-in, and has no session', async () => {
  const { service: visitor, asked, inputs } = service({}, { signedIn: async () => false })
  const known = new QueryClient()
  known.setQueryData([contentData.name, { idAsset: 12 }], content)
  const playable = trailerPlayable(5, known, 'Bande-annonce')
  const trailer = opened(await openTrailer({ kind: 'trailer', id: 5 }, visitor, playable))
  expect(asked).toEqual(['scripts', 'readTrailer', 'prepare'])
  expect(inputs['readTrailer']).toMatchObject({ idMedia: 5 })
  expect(trailer).toMatchObject({ isTrailer: true, session: null, licenseData: null })
  expect(trailer.playable.title).toBe('La ligne de grain')
  expect(trailerPlayable(99, known, 'Bande-annonce')).toMatchObject({
    title: 'Bande-annonce',
    detailRoute: '',
  })
})

test('V7-37 requests the live programme from midnight of the day before on, for 72 hours', async () => {
  const now = Date.UTC(2026, 0, 15, 12) / 1000
  const epg = { chan_1: [programmeFrom(2, now, now + 60), programmeFrom(1, now - 60, now)] }
  const { service: member, inputs } = service({ epg })
  const programmes = await fetchProgrammes(1, now, member)
  expect(inputs['epg']).toMatchObject({ start: Date.UTC(2026, 0, 14) / 1000, hours: 72, channelIds: [1] })
  expect(programmes.map(({ id }) => id)).toEqual([1, 2])
  expect(programmeAt(programmes, now)?.id).toBe(2)
  expect(programmeAt(programmes, now - 1)?.id).toBe(1)
  expect(programmeAt(programmes, now + 60)).toBeUndefined()
})

test('A7.3-13 a recording continues where the profile stopped, or plays from the beginning of its programme', async () => {
  const { service: last, inputs } = service({ playRecording: { ...RECORDED, seek: 300 } })
  const continued = opened(await openRecording({ kind: 'recording', id: 7 }, last))
  expect(inputs.playRecording).toMatchObject({ id: 7, x: 'last' })
  expect(continued).toMatchObject({ assetStartTime: 300, session: 'abc' })
  expect(continued.playable).toMatchObject({ kind: 'recording', title: 'Le Journal', live: false })
  const growing = opened(
    await openRecording(
      { kind: 'recording', id: 7 },
      service({ playRecording: { ...RECORDED, isGrowing: true } }).service,
    ),
  )
  expect(growing.assetStartTime).toBe(60)
  const { service: first, inputs: asked } = service()
  const begun = opened(await openRecording({ kind: 'recording', id: 7, start: 0 }, first))
  expect(asked.playRecording).toMatchObject({ x: 'start' })
  expect(begun.assetStartTime).toBe(60)
})

test('A7.3-13 only a recording that still runs can become longer while it is played', async () => {
  const secondsOf = async (isGrowing: boolean) => {
    const { service: member } = service({
      readRecording: { ...JOURNAL, duration: 1800 },
      playRecording: { ...RECORDED, isGrowing },
    })
    return opened(await openRecording({ kind: 'recording', id: 7 }, member)).lengthSeconds
  }
  expect([await secondsOf(true), await secondsOf(false)]).toEqual([1800, undefined])
})

test('a recording has the chapters of its title, after its margin, and the next episode', async () => {
  const first = { ...JOURNAL, idAsset: 12, title: 'Le Métier', subtitle: 'La trame', season: 1, episode: 1 }
  const second = { ...first, id: 9, subtitle: 'Le fil', episode: 2, position: 40 }
  const answers = { readRecording: first, listRecordings: { count: 2, records: [second, first] } }
  const { service: member, inputs } = service(answers)
  const { segments, nextAsset, playable } = opened(await openRecording({ kind: 'recording', id: 7 }, member))
  expect(inputs['listAssetTags']).toMatchObject({ idAsset: 12 })
  expect(segments.chapters).toEqual([{ label: 'Le départ', start: 60, end: 180 }])
  expect(segments.intro).toEqual([{ label: 'Intro', start: 65, end: 80 }])
  expect(nextAsset).toMatchObject({ title: 'Le fil', target: { kind: 'recording', id: 9 } })
  expect(playable).toMatchObject({
    title: 'La trame',
    metadatas: { AD_SURTITLE: 'Le Métier', AD_SERIESEP: 1 },
  })
  const last = service({ ...answers, readRecording: second })
  expect(opened(await openRecording({ kind: 'recording', id: 9 }, last.service)).nextAsset).toBeNull()
})

test('a recording plays without marks if they cannot be loaded', async () => {
  const broken = service({ readRecording: { ...JOURNAL, idAsset: 12 }, listAssetTags: refusal('internal') })
  const { segments } = opened(await openRecording({ kind: 'recording', id: 7 }, broken.service))
  expect(segments.chapters).toEqual([])
  expect(broken.reported).toHaveLength(1)
})

test('a recording that may not be played is refused, and a visitor signs in first', async () => {
  const { service: refusing } = service({ playRecording: refusal('notFound') })
  await expect(openRecording({ kind: 'recording', id: 7 }, refusing)).rejects.toMatchObject({ code: -404 })
  const { service: visiting, asked } = service({}, { signedIn: async () => false })
  expect(await openRecording({ kind: 'recording', id: 7 }, visiting)).toEqual({ kind: 'signIn' })
  expect(asked).not.toContain('playRecording')
})
