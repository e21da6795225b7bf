import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import * as calls from '@ondine/contract/recordings'
import type { TrackSet } from '@ondine/media/track-set'
import { asc, eq } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { afterAll, beforeAll, expect } from 'vitest'
import { recordedProgrammes } from '../src/features/inventory/recorded-programmes/recorded-programmes.table.ts'
import { copiedSets } from '../src/features/inventory/recorded-programmes/recording-copies.table.ts'
import { trackSets } from '../src/features/inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../src/features/inventory/track-sets/track-sets.service.ts'
import { ensurePackage } from '../src/features/rights/entitlements/packages.service.ts'
import { createChannelAir } from '../src/features/streams/on-air/on-air.service.ts'
import { extendSchedules } from '../src/features/television/schedule/extend-schedules.ts'
import { tendCopies } from '../src/features/viewing/recordings/copy-jobs.ts'
import { type CopyParts, makeCopies } from '../src/features/viewing/recordings/make-copies.ts'
import { tendRecordings } from '../src/features/viewing/recordings/recording-jobs.ts'
import { recordings } from '../src/features/viewing/recordings/recordings.table.ts'
import { ingest } from '../src/ingest/ingest.ts'
import { packagerBinary } from '../src/ingest/packager-binary.ts'
import { copyable, ffmpeg, packetHashes, picture, stereo, tone } from '../src/ingest/test-media.ts'
import { folderSegments } from '../src/segments/folder-segments.ts'
import type { SegmentStore } from '../src/segments/segment-store.ts'
import type { Actor } from './builders.ts'
import { startS3, type TestS3 } from './s3-server.ts'
import { testScene } from './scene.ts'
import { DATABASES, type DatabaseKind, MAIN_DB, NOON } from './service.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
const MARGIN = 8 * SECOND
const run = promisify(execFile)

/** Time limits of tests that copy media. */
export const COPY_TIMEOUTS = { testTimeout: 120_000, hookTimeout: 240_000 }

/**
 * Combinations of database and media store: the embedded database with a folder, and PostgreSQL with an S3 store.
 * If `MAIN_DB` contains all databases, each of them with each store.
 */
export const COPY_PLACES = DATABASES.flatMap((kind, index) =>
  (['folder', 's3'] as const)
    .filter((_, place) => MAIN_DB.length === DATABASES.length || place === index)
    .map((store) => [kind, store] as const),
)

/** A viewer who may record. */
const VIEWER = { packages: { television: {} }, tokenDays: 400 }

/** Returns the ids of `some` that are also in `others`. */
export function shared(others: Iterable<string> = [], some: Iterable<string> = []): string[] {
  const known = new Set(others)
  return [...some].filter((id) => known.has(id))
}

/** A film that is ready to play. */
interface Film {
  trackSet: TrackSet
  key: Buffer | null
  /** Files of the TrackSet, by path inside its folder. */
  files: Map<string, Buffer>
}

/** Two films, which all scenes of a test process share. */
let films: Promise<[Film, Film]> | undefined

/** Prepares two films of 40 s. */
async function makeFilms(): Promise<[Film, Film]> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-films-'))
  try {
    const path = join(folder, 'made.mp4')
    await ffmpeg([...picture({ seconds: 40 }), ...tone(40), ...copyable, ...stereo, path])
    const prepare = async (): Promise<Film> => {
      const request = { path, segments: folderSegments(folder), encrypted: true, subtitles: [] }
      const { trackSet, key } = await ingest(request, { signal: new AbortController().signal })
      const root = join(folder, trackSet.id)
      const files = new Map<string, Buffer>()
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        const file = join(entry.parentPath, entry.name)
        if (entry.isFile()) files.set(relative(root, file), await readFile(file))
      }
      return { trackSet, key, files }
    }
    return [await prepare(), await prepare()]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Publishes the media of a film to a store. */
async function publishFilm(segments: SegmentStore, { trackSet: { id }, files }: Film): Promise<void> {
  const folder = join(segments.workFolder, `film-${id}`)
  for (const [name, bytes] of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), bytes)
  }
  await segments.publish({ id, folder }, { signal: new AbortController().signal })
  await rm(folder, { recursive: true, force: true })
}

/**
 * Creates a service with real media: a channel that plays two films of 40 s. The level of one film is too high for
 * a child. Returns functions that record and copy programmes of the channel.
 */
export function copiesScene(
  kind: DatabaseKind,
  { copies = 'each', store = 'folder' }: { copies?: 'each' | 'shared'; store?: 'folder' | 's3' } = {},
) {
  let channelId = 0
  /** Index of the last programme that a test has recorded. */
  let places = 1
  let s3: TestS3 | undefined
  beforeAll(async () => {
    if (store === 's3') s3 = await startS3('/tv')
  })
  afterAll(async () => await s3?.close())
  const settings = {
    RECORDING_COPIES: copies,
    RECORDING_EARLY_SECONDS: MARGIN / SECOND,
    RECORDING_LATE_SECONDS: MARGIN / SECOND,
    get MEDIA_STORE() {
      return s3?.settings.MEDIA_STORE
    },
    get AWS_ENDPOINT_URL_S3() {
      return s3?.settings.AWS_ENDPOINT_URL_S3
    },
    get AWS_REGION() {
      return s3?.settings.AWS_REGION ?? 'us-east-1'
    },
    get AWS_ACCESS_KEY_ID() {
      return s3?.settings.AWS_ACCESS_KEY_ID
    },
    get AWS_SECRET_ACCESS_KEY() {
      return s3?.settings.AWS_SECRET_ACCESS_KEY
    },
  }
  const scene = testScene(kind, {
    actor: VIEWER,
    settings,
    prepared: async ({ service: { context }, make }) => {
      const { db, segments } = context
      await ensurePackage(db, 'television', { fra: 'Télévision', eng: 'Television' }, 10)
      films ??= makeFilms()
      const [swell, ink] = await films
      for (const [title, moralityLevel, film] of [
        ['La Houle', 0, swell],
        ['Encre', 5, ink],
      ] as const) {
        await publishFilm(segments, film)
        const { trackSet, key } = film
        await make.asset(title, { trackSet, moralityLevel, ...(key && { contentKey: key }) })
      }
      const rules = { kind: 'sequence', titles: ['La Houle', 'Encre'] }
      channelId = (await make.channel('Rive', rules, { inPackages: ['television'] })).id
      await extendSchedules(db, createTrackSetStore(db), NOON, undefined, HOUR)
    },
  })
  const parts = (): CopyParts & Parameters<typeof tendRecordings>[0] => {
    const { db, log, settings, configurations, connection, segments, stores } = scene.service.context
    const air = createChannelAir(db, createTrackSetStore(db), connection.changes)
    const freeBytes = async () => Number.POSITIVE_INFINITY
    const now = () => scene.service.clock.now()
    return { db, log, settings, configurations, segments, stores, air, freeBytes, now }
  }
  const at = (milliseconds: number) => scene.service.clock.set(milliseconds)
  async function programme(title = 'La Houle', place = 1): Promise<Programme> {
    const input = { start: NOON / 1000, offset: 0, hours: 1, channelIds: [channelId] }
    const { result } = await scene.service.call(epg, input, scene.actor.tokens)
    const found = (result[`chan_${channelId}`] ?? []).filter((each) => each.title === title)[place]
    if (!found) throw new Error(`The guide does not have ${title}.`)
    return found
  }
  const record = async (
    { id, id_channel }: Pick<Programme, 'id' | 'id_channel'>,
    { tokens }: Actor = scene.actor,
  ) =>
    (await scene.service.call(calls.createRecording, { idEvent: id, idChannel: id_channel }, tokens)).result
      .id
  const play = async (id: number, { tokens }: Actor = scene.actor, format: 'hls' | 'dash' = 'hls') =>
    await scene.service.call(calls.playRecording, { id, x: 'start', format }, tokens)
  const remove = async (id: number) =>
    await scene.service.call(calls.removeRecording, { id }, scene.actor.tokens)
  /** Sets the clock after the end of a programme, and processes its recordings. */
  async function end({ endutc }: Pick<Programme, 'endutc'>, later = MINUTE): Promise<void> {
    at(endutc * SECOND + MARGIN + later)
    await tendRecordings(parts(), scene.service.clock.now())
  }
  /** Records a programme that no other test records, and advances the clock past its end. */
  async function recorded() {
    at(NOON)
    const wanted = await programme('La Houle', ++places)
    const id = await record(wanted)
    await end(wanted)
    return { wanted, id }
  }
  /** Like `recorded`, but two viewers record the programme. */
  async function recordedByTwo() {
    at(NOON)
    const wanted = await programme('La Houle', ++places)
    const other = await scene.make.actor(VIEWER)
    const [id, theirs] = [await record(wanted), await record(wanted, other)]
    await end(wanted)
    return { wanted, id, other, theirs }
  }
  /** Like `recorded`, but the viewer stops the recording after 20 s. */
  async function recordedInPart() {
    at(NOON)
    const wanted = await programme('La Houle', ++places)
    const id = await record(wanted)
    at(wanted.startutc * SECOND + 20 * SECOND)
    await remove(id)
    await end(wanted)
    return { wanted, id }
  }
  const make = async (own: Partial<CopyParts> = {}, signal = new AbortController().signal) =>
    await makeCopies({ ...parts(), ...own }, signal)
  /**
   * Returns a store of segments, and the names of the files written to it. `meddle` may delay or refuse each
   * write.
   */
  function meddled(meddle: (written: number) => Promise<void> | void) {
    const { segments } = scene.service.context
    const names: string[] = []
    const write: typeof segments.write = async (file, bytes) => {
      await meddle(names.length)
      names.push(`${file.trackSet}/${file.rendition}/${file.name}`)
      await segments.write(file, bytes)
    }
    return { names, segments: { ...segments, write } }
  }
  const setsOf = async (id: number) =>
    await scene.service.context.db
      .select({
        id: copiedSets.trackSetId,
        sourceId: copiedSets.sourceId,
        from: copiedSets.copiedFrom,
        to: copiedSets.copiedTo,
        document: trackSets.document,
        key: trackSets.key,
      })
      .from(copiedSets)
      .innerJoin(recordings, eq(recordings.copyId, copiedSets.copyId))
      .innerJoin(trackSets, eq(trackSets.id, copiedSets.trackSetId))
      .where(eq(recordings.id, id))
      .orderBy(asc(copiedSets.position))
  const get = async (url: string) => await scene.service.app.inject({ url })

  /**
   * Returns the manifests of a recording in both formats, and their ids. The manifests contain no ids of TrackSets
   * and keys, so that manifests of different copies can be compared.
   */
  async function manifests(id: number, actor?: Actor) {
    const { result, error, status } = await play(id, actor)
    if (status !== 200) throw new Error(JSON.stringify(error))
    const main = (await get(result.url)).body
    const { variants } = hls.parse(main) as types.MasterPlaylist
    const media = await Promise.all(
      variants.map(async ({ uri }) => (await get(result.url.replace('main.m3u8', uri))).body),
    )
    const dash = (await get((await play(id, actor, 'dash')).result.url)).body
    const all = [main, ...media, dash].join('\n')
    const ids = new Set(all.match(/[0-9a-f]{32}/g))
    const { seek, startsAt, duration, isGrowing } = result
    const plain = all.replaceAll(/[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g, '#')
    return { ids, shown: { plain, seek, startsAt, duration, isGrowing } }
  }

  /** Returns the sorted hashes of the picture's packets, decrypted as a player does. */
  async function packets(id: number, place: number, actor?: Actor): Promise<string[]> {
    const { url } = (await play(id, actor)).result
    const base = url.replace('main.m3u8', '')
    const master = hls.parse((await get(url)).body) as types.MasterPlaylist
    const { segments } = hls.parse(
      (await get(`${base}${master.variants[0]?.uri}`)).body,
    ) as types.MediaPlaylist
    const all: string[] = []
    for (const keyUri of new Set(segments.map(({ key }) => key?.uri ?? ''))) {
      const own = segments.filter(({ key }) => key?.uri === keyUri)
      const key = await get(`${base}${keyUri}`)
      expect([keyUri, key.statusCode]).toEqual([keyUri, 200])
      const bytes: Buffer[] = []
      for (const uri of [own[0]?.map?.uri ?? '', ...own.map((one) => one.uri)]) {
        const file = await get(new URL(uri, `http://x${base}`).pathname)
        expect([uri, file.statusCode]).toEqual([uri, 200])
        bytes.push(file.rawPayload)
      }
      const path = join(scene.service.context.settings.DATA_DIR, `played-${place}.mp4`)
      await writeFile(path, Buffer.concat(bytes))
      await run(packagerBinary(process.platform, process.arch), [
        `in=${path},stream=video,output=${path}.clear.mp4`,
        '--enable_raw_key_decryption',
        '--keys',
        `label=:key_id=${keyUri.split('/').at(-1)}:key=${key.rawPayload.toString('hex')}`,
      ])
      all.push(...(await packetHashes(`${path}.clear.mp4`, 'v')))
    }
    // Sorts the hashes. If the channel shows a film twice, it uses one key and the copy two, so the order differs.
    return all.toSorted()
  }
  const tend = async (own: Partial<CopyParts> = {}) => await tendCopies({ ...parts(), ...own })
  const db = () => scene.service.context.db
  /** Returns the number of files of a TrackSet that the service serves. */
  const filesOf = async ({ id, renditions }: Pick<TrackSet, 'id' | 'renditions'>) => {
    const names = renditions.flatMap((one) =>
      ['init.mp4', ...Array.from({ length: 12 }, (_, index) => `${index + 1}.m4s`)].map(
        (name) => `/media/${id}/${one.id}/${name}`,
      ),
    )
    const found = await Promise.all(names.map(async (url) => (await get(url)).statusCode))
    return found.filter((status) => status === 200).length
  }
  /**
   * Returns the time since which the media of a recorded programme is not pinned any more; null while it is
   * pinned.
   */
  async function unpinnedAt({ id }: Pick<Programme, 'id'>): Promise<number | null | undefined> {
    const [row] = await db()
      .select({ at: recordedProgrammes.unpinnedAt })
      .from(recordedProgrammes)
      .where(eq(recordedProgrammes.programmeId, id))
    return row?.at
  }
  return {
    scene,
    db,
    /** The S3 store of the media; only with `s3`. */
    s3: () => s3,
    at,
    programme,
    record,
    recorded,
    recordedByTwo,
    recordedInPart,
    play,
    remove,
    end,
    make,
    meddled,
    setsOf,
    filesOf,
    unpinnedAt,
    get,
    manifests,
    packets,
    tend,
  }
}
