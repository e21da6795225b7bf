import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitFor } from 'xstate'
import { tellChange } from '../../features/content/downloads/changes.ts'
import type { Download } from '../../features/content/downloads/download.ts'
import { exchangeOwnPositions } from '../../features/content/downloads/exchange-positions.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { createReporter } from '../machine/reporter.ts'
import { film, POLL, start } from '../machine/test-player.ts'
import { openDownloaded } from './open-downloaded.ts'

const LENGTH = 1000

/** The record of the download on this device; undefined if its database fails. */
let stored: Download | undefined
/** The other downloads of this device. */
let others: Download[] = []

vi.mock('../../features/content/downloads/changes.ts', () => ({ tellChange: vi.fn() }))
vi.mock('../../features/content/downloads/open-download.ts', () => ({
  openDownload: async () => ({ download: stored, clearKey: null }),
}))
vi.mock('../../features/content/downloads/store.ts', () => ({
  changeDownload: async (_key: string, change: (known: Download) => Partial<Download>) => {
    if (stored === undefined) throw new DOMException('The database is gone', 'InvalidStateError')
    stored = { ...stored, ...change(stored) }
    return stored
  },
  listDownloads: async () => others,
}))
vi.mock('../../features/ground/errors/report-fault.ts', () => ({ reportFault: vi.fn() }))
vi.mock('../../features/content/downloads/exchange-positions.ts', () => ({ exchangeOwnPositions: vi.fn() }))
/** The answers of the player's custom URL schemes. */
const schemes = vi.hoisted(() => new Map<string, (uri: string, request: object) => unknown>())
vi.mock('../engine/shaka.ts', () => ({
  loadShaka: async () => ({
    net: {
      NetworkingEngine: {
        registerScheme: (scheme: string, answer: (uri: string, request: object) => unknown) =>
          schemes.set(scheme, answer),
      },
    },
    util: {
      Error: { Severity: {} },
      AbortableOperation: { notAbortable: async (answer: Promise<object>) => await answer },
    },
  }),
}))

beforeEach(() => {
  others = []
  stored = {
    key: '1-12',
    accountId: 5,
    profileId: 1,
    assetId: film.id,
    state: 'COMPLETED',
    downloadProgress: { percentDownloaded: 100 },
    failure: null,
    title: film.title,
    subtitle: '',
    durationSeconds: LENGTH,
    bytes: 1000,
    height: 720,
    folders: [],
    languages: { audio: 'fra', subtitle: 'non' },
    licence: null,
    addedAt: 1,
    times: { expiresAt: 9, playSeconds: 9, firstPlayedAt: null, latestAt: 1, aheadSeconds: 0 },
  }
})
afterEach(() => {
  vi.clearAllMocks()
})

/** Plays the download, with the reporter of the player. */
async function play(from?: number) {
  const sendHeartbeat = vi.fn()
  const player = start({
    open: async () => await openDownloaded({ kind: 'asset', id: film.id, offline: true, start: from }),
    parts: { reporter: createReporter(sendHeartbeat, () => {}) },
  })
  Object.assign(player.reading, { duration: LENGTH, range: { start: 0, end: LENGTH } })
  await waitFor(player.actor, (state) => state.matches({ playback: 'playing' }))
  /** Plays on for some seconds from a position. */
  const goOn = (position: number, seconds: number) => {
    player.reading.position = position
    player.clock.increment(seconds * 1000 + POLL)
  }
  return { ...player, goOn, sendHeartbeat }
}

/** Returns where the download begins when it is opened again. */
async function startOf(from?: number): Promise<number | null | undefined> {
  const { actor, loaded } = await play(from)
  actor.stop()
  return loaded[0]?.startAt
}

test('V4-30 a download begins at 0, and then where the viewer has left it', async () => {
  expect(await startOf()).toBeNull()
  const { actor, reading, sendHeartbeat } = await play()
  reading.position = 400
  actor.send({ type: 'close' })
  expect(await startOf()).toBe(400)
  expect(tellChange).toHaveBeenCalled()
  expect(exchangeOwnPositions).not.toHaveBeenCalled()
  expect(sendHeartbeat).not.toHaveBeenCalled()
})

test('V4-30 the service learns at once where a viewer with a connection leaves a download', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const { actor, goOn } = await play()
  goOn(300, HEARTBEAT_SECONDS)
  expect(exchangeOwnPositions).not.toHaveBeenCalled()
  actor.send({ type: 'close' })
  await vi.waitFor(() => expect(exchangeOwnPositions).toHaveBeenCalledExactlyOnceWith(1))
  vi.unstubAllGlobals()
})

test('V4-30 a download keeps its position while it plays, and at a pause', async () => {
  const { actor, reading, goOn } = await play()
  goOn(300, HEARTBEAT_SECONDS)
  expect(stored).toMatchObject({ position: 300 })
  goOn(305, HEARTBEAT_SECONDS / 2)
  expect(stored).toMatchObject({ position: 300 })
  reading.position = 307.5
  actor.send({ type: 'togglePlay' })
  expect(stored).toMatchObject({ position: 307.5 })
})

test('V4-30 a start in the address comes before the kept position', async () => {
  const { goOn } = await play()
  goOn(300, HEARTBEAT_SECONDS)
  expect(await startOf(120)).toBe(120)
})

test.each([
  ['in its credits', 'close', 960],
  ['at its end', 'engine.ended', LENGTH],
] as const)(
  'V4-49 a download that the viewer leaves %s begins at 0 again',
  async (_where, type, position) => {
    const { actor, reading, goOn } = await play()
    goOn(300, HEARTBEAT_SECONDS)
    reading.position = position
    actor.send({ type })
    expect(stored).toMatchObject({ position, unsentSince: expect.any(Number) })
    expect(await startOf()).toBeNull()
  },
)

test('V4-30 a download that is left at its very beginning begins at 0', async () => {
  const { actor, reading } = await play()
  reading.position = 20
  actor.send({ type: 'close' })
  expect(await startOf()).toBeNull()
})

test('a position that cannot be stored does not stop the download', async () => {
  const { actor, goOn } = await play()
  stored = undefined
  goOn(300, HEARTBEAT_SECONDS)
  await vi.waitFor(() => expect(reportFault).toHaveBeenCalled())
  expect(actor.getSnapshot().matches({ playback: 'playing' })).toBe(true)
})

/** Opens the download in a page whose service worker has the state `controller`. */
async function streamIn(controller: object | null): Promise<string | null> {
  vi.stubGlobal('navigator', { serviceWorker: { controller } })
  const opening = await openDownloaded({ kind: 'asset', id: film.id, offline: true })
  vi.unstubAllGlobals()
  return opening.kind === 'opened' ? opening.opened.streamUrl : null
}

test('V2.1-16 a download plays after a forced reload, when no service worker answers its requests', async () => {
  expect(await streamIn({})).toBe('/offline/1-12/manifest.mpd')
  const address = await streamIn(null)
  expect(address).toBe('download-files://device/offline/1-12/manifest.mpd')
  const match = async (file: string) =>
    file === '/offline/1-12/manifest.mpd' ? new Response('<MPD/>') : undefined
  vi.stubGlobal('caches', { open: async () => ({ match }) })
  const answer = await schemes.get('download-files')?.(address ?? '', {})
  vi.unstubAllGlobals()
  expect(answer).toMatchObject({ data: new TextEncoder().encode('<MPD/>').buffer })
})

test('V4-41 V3-31 a download has its intro, credits and chapters. An older record has none', async () => {
  const open = async () => await openDownloaded({ kind: 'asset', id: film.id, offline: true })
  expect(await open()).toMatchObject({ opened: { segments: { intro: [], credits: [], chapters: [] } } })
  if (stored !== undefined) {
    stored.tags = {
      tags: [
        { type: 'intro', timestamp: 4, end: 12, label: 'Générique' },
        { type: 'credit', timestamp: 900, end: LENGTH, label: 'Fin' },
      ],
      chapters: [{ type: 'chapter', timestamp: 0, end: LENGTH, label: 'Générique' }],
    }
  }
  expect(await open()).toMatchObject({
    opened: {
      segments: {
        intro: [{ label: 'Générique', start: 4, end: 12 }],
        credits: [{ label: 'Fin', start: 900, end: LENGTH }],
        chapters: [{ label: 'Générique', start: 0, end: LENGTH }],
      },
    },
  })
})

test('V3-41 a download names the holder of its account for the watermark. An older record has only the id', async () => {
  const open = async () => await openDownloaded({ kind: 'asset', id: film.id, offline: true })
  expect(await open()).toMatchObject({ opened: { holder: { id: 5, firstName: '', lastName: '' } } })
  if (stored !== undefined) stored.accountName = { firstName: 'Anne', lastName: 'Morel' }
  expect(await open()).toMatchObject({ opened: { holder: { id: 5, firstName: 'Anne', lastName: 'Morel' } } })
})

/** A download of another episode of the series 40, complete by default. */
function episode(number: number, fields: Partial<Download> = {}): Download {
  if (stored === undefined) throw new Error('There is no download')
  const place = { serieId: 40, season: 1, number }
  const times = { ...stored.times, expiresAt: 4_000_000_000, playSeconds: 4_000_000_000 }
  return {
    ...stored,
    key: `1-${number}`,
    assetId: number,
    title: `Episode ${number}`,
    episode: place,
    times,
    ...fields,
  }
}

/**
 * Returns the title of the download that follows the second episode.
 *
 * @param nextAssetId the next episode of the series; undefined if the download does not know it
 * @param last number of the last episode, if the second one contains several
 */
async function followerOf(
  downloads: Download[],
  nextAssetId?: number | null,
  last?: number,
): Promise<string | undefined> {
  stored = episode(2, { nextAssetId, episode: { serieId: 40, season: 1, number: 2, last } })
  others = downloads
  const opening = await openDownloaded({ kind: 'asset', id: film.id, offline: true })
  return opening.kind === 'opened' ? opening.opened.nextAsset?.title : undefined
}

test('V4-46 the next episode of the series follows an episode, in the next season too, if it is on the device', async () => {
  const nextSeason = episode(9, { title: 'S2', episode: { serieId: 40, season: 2, number: 1 } })
  expect(await followerOf([nextSeason, episode(3)], 3)).toBe('Episode 3')
  expect(await followerOf([nextSeason, episode(1)], 9)).toBe('S2')
  // The third episode is not on the device, so the next season would skip it.
  expect(await followerOf([nextSeason, episode(1)], 3)).toBeUndefined()
  expect(await followerOf([nextSeason, episode(1)], null)).toBeUndefined()
  // Published after the second episode was downloaded as the last one.
  expect(await followerOf([nextSeason, episode(3)], null)).toBe('Episode 3')
})

test('V4-46 an episode that does not know its follower leads to the next number, but not to another season', async () => {
  const nextSeason = episode(9, { title: 'S2', episode: { serieId: 40, season: 2, number: 1 } })
  expect(await followerOf([nextSeason, episode(4), episode(3), episode(1), episode(2)])).toBe('Episode 3')
  expect(await followerOf([nextSeason, episode(1), episode(2)])).toBeUndefined()
  // The viewer would not expect an episode after one that is not on the device.
  expect(await followerOf([episode(1), episode(2), episode(4)])).toBeUndefined()
  expect(await followerOf([episode(1), episode(2)])).toBeUndefined()
})

test('V4-46 the next episode plays from the device', async () => {
  stored = episode(2)
  others = [episode(2), episode(3)]
  const opening = await openDownloaded({ kind: 'asset', id: film.id, offline: true })
  expect(opening).toMatchObject({
    opened: { nextAsset: { target: { kind: 'asset', id: 3, offline: true }, isIncludedInUserOffers: true } },
  })
})

test('V4-46 the episode after the last one of a file with several episodes follows', async () => {
  expect(await followerOf([episode(3), episode(4)], undefined, 3)).toBe('Episode 4')
})

test.each<[string, Partial<Download>]>([
  ['another profile', { profileId: 9 }],
  ['another series', { episode: { serieId: 41, season: 1, number: 3 } }],
  ['no series', { episode: undefined }],
])('V4-46 a download of %s does not follow an episode', async (_what, fields) => {
  expect(await followerOf([episode(3, fields)])).toBeUndefined()
})

test.each<[string, Partial<Download>]>([
  ['is not complete', { state: 'DOWNLOADING' }],
  [
    'has expired',
    { times: { expiresAt: 9, playSeconds: 9, firstPlayedAt: null, latestAt: 1, aheadSeconds: 0 } },
  ],
])('V4-46 nothing follows an episode while the next one %s', async (_what, fields) => {
  expect(await followerOf([episode(3, fields), episode(4)])).toBeUndefined()
})
