import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { epg } from '@ondine/contract/channels'
import type { Programme } from '@ondine/contract/entities'
import * as calls from '@ondine/contract/recordings'
import { layoutOfChannel } from '@ondine/media/layout'
import type { TrackSet } from '@ondine/media/track-set'
import { asc, eq, isNotNull } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Actor, buildTrackSet } from '../../../../test/builders.ts'
import { startS3, type TestS3 } from '../../../../test/s3-server.ts'
import { testScene } from '../../../../test/scene.ts'
import { DATABASES, type DatabaseKind, NOON } from '../../../../test/service.ts'
import { doctorCommand } from '../../../control/doctor.ts'
import { callBegins } from '../../../database/callers.ts'
import { ingest } from '../../../ingest/ingest.ts'
import { packagerBinary } from '../../../ingest/packager-binary.ts'
import { copyable, ffmpeg, packetHashes, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { sweepMedia } from '../../content/library/sweep-media.ts'
import { scheduleEntries } from '../../inventory/line-up/line-up.table.ts'
import { recordedProgrammes } from '../../inventory/recorded-programmes/recorded-programmes.table.ts'
import { copiedSets, recordingCopies } from '../../inventory/recorded-programmes/recording-copies.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'
import { addSet, endSet, setLayout } from '../../streams/live-inputs/live-sets.repository.ts'
import { sweepLiveSets } from '../../streams/live-inputs/sweep-live-sets.ts'
import { createChannelAir } from '../../streams/on-air/on-air.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { trimEntries } from '../../television/schedule/schedule.repository.ts'
import { tendCopies } from './copy-jobs.ts'
import { type CopyParts, makeCopies } from './make-copies.ts'
import { pinAgain, replaceCopy } from './recording-copies.repository.ts'
import { tendRecordings } from './recording-jobs.ts'
import { recordings } from './recordings.table.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const MARGIN = 8 * SECOND
const run = promisify(execFile)

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

/** Returns the ids of `some` that are also in `others`. */
function shared(others: Iterable<string> = [], some: Iterable<string> = []): string[] {
  const known = new Set(others)
  return [...some].filter((id) => known.has(id))
}

/** A channel of two films of 40 s with real media, one of which is above the level of a child. */
function copiesScene(kind: DatabaseKind, copies: 'each' | 'shared', s3: () => TestS3 | undefined) {
  let channelId = 0
  const settings = {
    RECORDING_COPIES: copies,
    RECORDING_EARLY_SECONDS: MARGIN / SECOND,
    RECORDING_LATE_SECONDS: MARGIN / SECOND,
    get MEDIA_STORE() {
      return s3()?.settings.MEDIA_STORE
    },
    get AWS_ENDPOINT_URL_S3() {
      return s3()?.settings.AWS_ENDPOINT_URL_S3
    },
    get AWS_REGION() {
      return s3()?.settings.AWS_REGION ?? 'us-east-1'
    },
    get AWS_ACCESS_KEY_ID() {
      return s3()?.settings.AWS_ACCESS_KEY_ID
    },
    get AWS_SECRET_ACCESS_KEY() {
      return s3()?.settings.AWS_SECRET_ACCESS_KEY
    },
  }
  const scene = testScene(kind, {
    actor: { packages: { television: {} }, tokenDays: 400 },
    settings,
    prepared: async ({ service: { context }, make }) => {
      const { db, segments } = context
      await ensurePackage(db, 'television', { fra: 'Télévision', eng: 'Television' }, 10)
      const source = join(context.settings.DATA_DIR, 'film.mp4')
      await ffmpeg([...picture({ seconds: 40 }), ...tone(40), ...copyable, ...stereo, source])
      for (const [title, moralityLevel] of [
        ['La Houle', 0],
        ['Encre', 5],
      ] as const) {
        const request = { path: source, segments, encrypted: true, subtitles: [] }
        const { trackSet, key } = await ingest(request, { signal: new AbortController().signal })
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
  /** Lets the clock pass the end of a programme, and settles its recordings. */
  async function end({ endutc }: Pick<Programme, 'endutc'>, later = MINUTE): Promise<void> {
    at(endutc * SECOND + MARGIN + later)
    await tendRecordings(parts(), scene.service.clock.now())
  }
  const make = async (own: Partial<CopyParts> = {}, signal = new AbortController().signal) =>
    await makeCopies({ ...parts(), ...own }, signal)
  /** Returns a store of segments whose writes `meddle` may delay or refuse, with the files that were written. */
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

  /** Returns the manifests of a recording in both formats, without ids of TrackSets and keys, and the ids. */
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

  /** Returns the hashes of the picture's packets in no order, decrypted as a player does. */
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
    // The channel may show one film twice, with one key, where the copy has two keys.
    return all.toSorted()
  }
  const tend = async (own: Partial<CopyParts> = {}) => await tendCopies({ ...parts(), ...own })
  return {
    scene,
    at,
    programme,
    record,
    play,
    remove,
    end,
    make,
    meddled,
    setsOf,
    get,
    manifests,
    packets,
    tend,
  }
}

const STORES = ['folder', 's3'] as const

describe.each(DATABASES.flatMap((kind) => STORES.map((store) => [kind, store] as const)))(
  'recordings with copies of their own, on a database of kind %s with media in a %s',
  (kind, store) => {
    let s3: TestS3 | undefined
    beforeAll(async () => {
      if (store === 's3') s3 = await startS3('/tv')
    })
    afterAll(async () => await s3?.close())
    const own = copiesScene(kind, 'each', () => s3)
    const {
      scene,
      at,
      programme,
      record,
      play,
      remove,
      end,
      make,
      meddled,
      setsOf,
      get,
      manifests,
      packets,
      tend,
    } = own
    const db = () => scene.service.context.db
    /** Returns the number of files of a TrackSet that anyone gets. */
    const filesOf = async ({ id, renditions }: Pick<TrackSet, 'id' | 'renditions'>) => {
      const names = renditions.flatMap((one) =>
        ['init.mp4', ...Array.from({ length: 12 }, (_, index) => `${index + 1}.m4s`)].map(
          (name) => `/media/${id}/${one.id}/${name}`,
        ),
      )
      const found = await Promise.all(names.map(async (url) => (await get(url)).statusCode))
      return found.filter((status) => status === 200).length
    }

    it('A7.3 play the same as without: manifests, positions, picture, each with its own files and key', async () => {
      at(NOON)
      const wanted = await programme()
      const child = await scene.make.actor({
        packages: { television: {} },
        profile: { kid: true, maximumMoralityLevel: 1 },
        tokenDays: 400,
      })
      const [id, theirs] = [await record(wanted), await record(wanted, child)]
      await end(wanted)
      const before = [await manifests(id), await manifests(theirs, child)]
      const film = await packets(id, 1)
      expect(before[0]?.shown.plain).not.toBe(before[1]?.shown.plain)
      expect(await make()).toBe(2)
      const after = [await manifests(id), await manifests(theirs, child)]
      expect(after.map(({ shown }) => shown)).toEqual(before.map(({ shown }) => shown))
      expect(await packets(id, 2)).toEqual(film)
      expect(await packets(theirs, 3, child)).toHaveLength(25 * 40)

      const ids = [...before, ...after].map((each) => each.ids)
      expect(shared(ids[0], ids[2])).toEqual([])
      expect(shared(ids[2], ids[3])).toEqual([])
      const sets = [...(await setsOf(id)), ...(await setsOf(theirs))]
      expect(new Set(sets.map(({ key }) => key?.toString('hex'))).size).toBe(6)
      // The margins have two segments of each neighbour, no more.
      expect(sets.map(({ from, to }) => to - from)).toEqual([2, 10, 2, 2, 10, 2])
      for (const { document, from, to } of sets)
        expect(await filesOf(document)).toBe(document.renditions.length * (to - from + 1))
    })

    it('are deleted with their recording after the time for undoing it, and only they', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 2)
      const other = await scene.make.actor({ packages: { television: {} }, tokenDays: 400 })
      const [id, theirs] = [await record(wanted), await record(wanted, other)]
      await end(wanted)
      await make()
      const [sets, kept] = [await setsOf(id), await setsOf(theirs)]
      await remove(id)
      await tend()
      expect(
        (await Promise.all(sets.map(async ({ document }) => await filesOf(document)))).every(Boolean),
      ).toBe(true)
      await end(wanted, 3 * MINUTE)
      await tend()
      for (const { document } of sets) expect(await filesOf(document)).toBe(0)
      for (const { id: set } of sets) expect(await db().$count(trackSets, eq(trackSets.id, set))).toBe(0)
      for (const { document } of kept) expect(await filesOf(document)).toBeGreaterThan(0)
      expect((await play(theirs, other)).status).toBe(200)
    })

    it('are deleted with what was copied if the viewer deletes the recording while it is copied', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 3)
      const id = await record(wanted)
      await end(wanted)
      const { segments, names } = meddled(async (written) => {
        if (written === 7) await remove(id)
      })
      expect(await make({ segments })).toBe(0)
      expect(names.length).toBeLessThan(30)
      const sets = await setsOf(id)
      expect(sets).not.toEqual([])
      await end(wanted, 3 * MINUTE)
      await tend()
      for (const { id: set, document } of sets) {
        expect(await db().$count(trackSets, eq(trackSets.id, set))).toBe(0)
        expect(await filesOf(document)).toBe(0)
      }
    })

    it('leave nothing in the store if it fails while they are deleted', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 11)
      const id = await record(wanted)
      await end(wanted)
      await make()
      const sets = await setsOf(id)
      await remove(id)
      await end(wanted, 3 * MINUTE)
      const { segments } = scene.service.context
      const discard = async (): Promise<void> => {
        throw new Error('the store is away')
      }
      await expect(tend({ segments: { ...segments, discard } })).rejects.toThrow('the store is away')
      at(scene.service.clock.now() + 3 * MINUTE)
      await tend()
      // The rows of the first TrackSet are gone, so only the store knows that it is to be removed.
      await sweepMedia(scene.service.context, Date.now() + 72 * HOUR)
      for (const { document } of sets) expect(await filesOf(document)).toBe(0)
      const held = await segments.entries.quarantined()
      expect(
        shared(
          held,
          sets.map((set) => set.id),
        ),
      ).toEqual([])
    })

    it('free the media of the channel even if deleted copies cannot be removed', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 14)
      const other = await scene.make.actor({ packages: { television: {} }, tokenDays: 400 })
      const [id, theirs] = [await record(wanted), await record(wanted, other)]
      await end(wanted)
      expect(await make()).toBe(2)
      await remove(id)
      await end(wanted, 13 * HOUR)
      const { segments } = scene.service.context
      const discard = async (): Promise<void> => {
        throw new Error('the store is away')
      }
      await expect(tend({ segments: { ...segments, discard } })).rejects.toThrow('the store is away')
      expect(
        await db()
          .select({ unpinnedAt: recordedProgrammes.unpinnedAt })
          .from(recordedProgrammes)
          .where(eq(recordedProgrammes.programmeId, wanted.id)),
      ).toEqual([{ unpinnedAt: scene.service.clock.now() }])
      at(scene.service.clock.now() + 3 * MINUTE)
      await tend()
      expect(await setsOf(theirs)).toHaveLength(3)
    })

    it('go on after a kill where they were, once the killed process cannot write any more', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 4)
      const id = await record(wanted)
      await end(wanted)
      const killed = meddled((written) => {
        if (written === 20) throw new Error('killed')
      })
      expect(await make({ segments: killed.segments })).toBe(0)
      const now = scene.service.clock.now()
      // A killed process lets go of nothing.
      await db()
        .update(recordingCopies)
        .set({ heldBy: 'killed', heldUntil: now + MINUTE })
        .where(isNotNull(recordingCopies.heldUntil))
      const [first] = await setsOf(id)
      expect(await make()).toBe(0)
      const [, film] = await setsOf(id)
      expect((await manifests(id)).ids.has(film?.sourceId ?? '')).toBe(true)
      at(now + MINUTE + 1)
      const next = meddled(() => {})
      expect(await make({ segments: next.segments })).toBe(1)
      expect(next.names.some((name) => name.startsWith(`${first?.id}/`))).toBe(false)
      expect((await setsOf(id))[0]?.id).toBe(first?.id)
      expect((await manifests(id)).ids.has(film?.id ?? '')).toBe(true)
      expect(await packets(id, 4)).toHaveLength(25 * (40 + 16))
    })

    it('wait while the disk is full, and play the channel meanwhile', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 5)
      const id = await record(wanted)
      await end(wanted)
      const full = meddled(() => {
        throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
      })
      expect(await make({ segments: full.segments })).toBe(0)
      const sources = (await setsOf(id)).map(({ sourceId }) => sourceId)
      expect(shared((await manifests(id)).ids, sources)).toEqual(sources)
      // It is not tried again each minute.
      expect(await make()).toBe(0)
      at(scene.service.clock.now() + 6 * MINUTE)
      expect(await make()).toBe(1)
      expect(shared((await manifests(id)).ids, sources)).toEqual([])
    })

    it('are counted once they can be made: in the metrics, and by doctor', async () => {
      const countOf = async (state: string) =>
        Number(
          new RegExp(`^ondine_recording_copies\\{[^}]*state="${state}"[^}]*\\} (\\d+)`, 'm').exec(
            (await get('/metrics')).body,
          )?.[1],
        )
      const doctorSays = async () => {
        const said: string[] = []
        const report = ({ text }: { text: string }) => void said.push(text)
        const { signal } = new AbortController()
        // Other checks of `doctor` may fail on the machine that runs the test.
        await doctorCommand
          .run(scene.service.context, { arguments: [], options: {} }, { signal, report })
          .catch(() => {})
        return said.join('\n')
      }
      at(NOON)
      const wanted = await programme('La Houle', 19)
      const [waiting, ready] = [await countOf('waiting'), await countOf('ready')]
      await record(wanted)
      expect(await countOf('waiting')).toBe(waiting)
      await end(wanted)
      expect(await countOf('waiting')).toBe(waiting + 1)
      const { segments } = meddled(() => {
        throw new Error('damaged')
      })
      expect(await make({ segments })).toBe(0)
      expect(await doctorSays()).toContain('1 could not be made, and will be tried again')
      at(scene.service.clock.now() + 6 * MINUTE)
      expect(await make()).toBe(1)
      expect(await countOf('waiting')).toBe(waiting)
      expect(await doctorSays()).toContain(`${waiting} waiting, ${ready + 1} ready`)
    })

    it('leave space on the disk for live inputs and imports', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 18)
      const id = await record(wanted)
      await end(wanted)
      let free = 6 * 1024 ** 3
      const { segments, names } = meddled(() => {
        free = 4 * 1024 ** 3
      })
      const own = { segments, freeBytes: async () => free }
      // An object store has its space elsewhere.
      expect(await make(own)).toBe(store === 's3' ? 1 : 0)
      const written = names.length
      expect(written).toBeGreaterThan(0)
      expect(await make(own)).toBe(0)
      expect(names).toHaveLength(written)
      expect(await make()).toBe(store === 's3' ? 0 : 1)
      expect(await setsOf(id)).toHaveLength(3)
    })

    it('have the gaps of the channel, whose files may be missing, and tell the operator', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 16)
      const id = await record(wanted)
      await end(wanted)
      const { segments, log } = scene.service.context
      const warned = vi.spyOn(log, 'warn')
      const read: typeof segments.read = async (file) =>
        (file.rendition.startsWith('a') && file.name === 'init.mp4') || file.name === '3.m4s'
          ? undefined
          : await segments.read(file)
      expect(await make({ segments: { ...segments, read } })).toBe(1)
      const [, film] = await setsOf(id)
      const idOf = (wantedKind: string) =>
        film?.document.renditions.find(({ kind }) => kind === wantedKind)?.id ?? ''
      const [video, audio] = [idOf('video'), idOf('audio')]
      expect(warned.mock.calls.map(([fields]) => fields)).toContainEqual(
        expect.objectContaining({
          trackSet: film?.sourceId,
          missing: expect.arrayContaining([`${video}/3.m4s`, `${audio}/init.mp4`]),
        }),
      )
      warned.mockRestore()
      const statusOf = async (rendition: string, name: string) =>
        (await get(`/media/${film?.id}/${rendition}/${name}`)).statusCode
      expect(await statusOf(video, '2.m4s')).toBe(200)
      expect(await statusOf(video, '3.m4s')).toBe(404)
      expect(await statusOf(video, '4.m4s')).toBe(200)
      expect(await statusOf(audio, '2.m4s')).toBe(404)
    })

    it('wait while the store has no media at all, such as an unmounted folder', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 17)
      const id = await record(wanted)
      await end(wanted)
      const { segments, stores } = scene.service.context
      const entries = { ...stores.media.entries, isOlder: async () => false }
      const empty = {
        segments: { ...segments, read: async () => undefined },
        stores: { ...stores, media: { ...stores.media, entries } },
      }
      expect(await make(empty)).toBe(0)
      at(scene.service.clock.now() + 6 * MINUTE)
      expect(await make()).toBe(1)
      expect(await setsOf(id)).toHaveLength(3)
    })

    it('are made although an earlier one always fails', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 12)
      const other = await scene.make.actor({ packages: { television: {} }, tokenDays: 400 })
      const [id, theirs] = [await record(wanted), await record(wanted, other)]
      await end(wanted)
      const { segments } = scene.service.context
      let damaged: Set<string> | undefined
      const write: typeof segments.write = async (file, bytes) => {
        if (damaged?.has(file.trackSet) ?? true) throw new Error('damaged')
        await segments.write(file, bytes)
      }
      const attempt = async () => await make({ segments: { ...segments, write } })
      expect(await attempt()).toBe(0)
      damaged = new Set((await setsOf(id)).map((set) => set.id))
      expect(damaged.size).toBe(3)
      at(scene.service.clock.now() + 6 * MINUTE)
      expect(await attempt()).toBe(1)
      expect(await setsOf(theirs)).toHaveLength(3)
      await remove(id)
    })

    it('are made once by two processes at the same time', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 6)
      const other = await scene.make.actor({ packages: { television: {} }, tokenDays: 400 })
      const first = await record(wanted)
      await record(wanted, other)
      await end(wanted)
      const { segments, names } = meddled(() => {})
      const made = await Promise.all([make({ segments }), make({ segments })])
      expect(made[0] + made[1]).toBe(2)
      const media = names.filter((name) => name.endsWith('.m4s'))
      expect(new Set(media).size).toBe(media.length)
      for (const { id, from, to, document } of await setsOf(first))
        expect(media.filter((name) => name.startsWith(`${id}/`))).toHaveLength(
          (to - from) * document.renditions.length,
        )
    })

    it('are made of the part before the viewer stopped', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 7)
      const id = await record(wanted)
      at(wanted.startutc * SECOND + 20 * SECOND)
      await remove(id)
      await end(wanted)
      const before = await manifests(id)
      await make()
      expect((await manifests(id)).shown).toEqual(before.shown)
      expect((await setsOf(id)).map(({ from, to }) => to - from)).toEqual([2, 5])
    })

    it('stay for the sessions that play them if the recording is recorded again after a stop', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 15)
      const id = await record(wanted)
      at(wanted.startutc * SECOND + 20 * SECOND)
      await remove(id)
      await end(wanted)
      expect(await make()).toBe(1)
      const old = await setsOf(id)
      const base = (await play(id)).result.url.replace('main.m3u8', '')
      const keyOf = async () => (await get(`${base}key/${old[1]?.document.encryption?.keyId}`)).statusCode
      expect(await record(wanted)).toBe(id)
      await end(wanted, 10 * MINUTE)
      await tend()
      expect(await make()).toBe(1)
      expect(await setsOf(id)).toHaveLength(3)
      await tend()
      for (const { document } of old) expect(await filesOf(document)).toBeGreaterThan(0)
      expect(await keyOf()).toBe(200)
      at(scene.service.clock.now() + 13 * HOUR)
      await tend()
      for (const { document } of old) expect(await filesOf(document)).toBe(0)
      expect((await play(id)).status).toBe(200)
    })

    it('are made for a programme that is recorded after its end', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 8)
      await end(wanted, 10 * MINUTE)
      const id = await record(wanted)
      await end(wanted, 11 * MINUTE)
      expect(await make()).toBe(1)
      expect(await setsOf(id)).toHaveLength(3)
    })

    it('free the media of the channel, and play on without it', async () => {
      at(NOON)
      const wanted = await programme('La Houle', 9)
      const id = await record(wanted)
      await end(wanted)
      await make()
      const { shown } = await manifests(id)
      const pinned = async () =>
        await db()
          .select({ unpinnedAt: recordedProgrammes.unpinnedAt })
          .from(recordedProgrammes)
          .where(eq(recordedProgrammes.programmeId, wanted.id))
      await tend()
      expect(await pinned()).toEqual([{ unpinnedAt: null }])
      at(scene.service.clock.now() + 13 * HOUR)
      await tend()
      expect(await pinned()).toEqual([{ unpinnedAt: scene.service.clock.now() }])
      const entry = eq(scheduleEntries.startsAt, wanted.startutc * SECOND)
      await trimEntries(db(), wanted.endutc * SECOND, 1000)
      expect(await db().$count(scheduleEntries, entry)).toBe(0)
      expect((await manifests(id)).shown).toEqual(shown)
      // Another viewer is too late. The owner's request changes nothing.
      const late = await scene.make.actor({ packages: { television: {} } })
      const request = { idEvent: wanted.id, idChannel: wanted.id_channel }
      expect((await scene.service.call(calls.createRecording, request, late.tokens)).error.code).toBe(-1602)
      expect(await record(wanted)).toBe(id)
      // The sweep of films knows the copies.
      await sweepMedia(scene.service.context)
      at(scene.service.clock.now() + 26 * HOUR)
      await sweepMedia(scene.service.context)
      expect((await manifests(id)).shown).toEqual(shown)
    })

    // Here nothing else makes the thread free: reads and writes are in memory, and so is the database.
    if (kind === 'embedded' && store === 'folder')
      it('let calls go first while segments are encrypted', async () => {
        at(NOON)
        const wanted = await programme('La Houle', 20)
        const other = await scene.make.actor({ packages: { television: {} }, tokenDays: 400 })
        const [id, theirs] = [await record(wanted), await record(wanted, other)]
        await end(wanted)
        const { segments } = scene.service.context
        const files = new Map<string, Buffer | undefined>()
        const read: typeof segments.read = async (file) => {
          const path = `${file.trackSet}/${file.rendition}/${file.name}`
          if (!files.has(path)) files.set(path, await segments.read(file))
          return files.get(path)
        }
        const sets = new Set<string>()
        let written = 0
        let during: number | undefined
        const write: typeof segments.write = async ({ trackSet, name }) => {
          sets.add(trackSet)
          written++
          // The film of the second copy, whose files are all in memory.
          if (sets.size !== 5 || during !== undefined || !name.endsWith('.m4s')) return
          const before = written
          during = Infinity
          const answered = callBegins()
          void (async () => {
            for (let turn = 0; turn < 20; turn++) await setImmediate()
            during = written - before
            answered()
          })()
        }
        expect(await make({ segments: { ...segments, read, write } })).toBe(2)
        expect(sets.size).toBe(6)
        // The other rendition of the segment may have been on its way.
        expect(during).toBeLessThanOrEqual(2)
        expect([await setsOf(id), await setsOf(theirs)].map(({ length }) => length)).toEqual([3, 3])
      })

    // Transactions of the embedded database take turns.
    if (kind === 'postgresql')
      it('keep the media of the channel while the owner records again what was stopped', async () => {
        at(NOON)
        const wanted = await programme('La Houle', 13)
        const id = await record(wanted)
        at(wanted.startutc * SECOND + 20 * SECOND)
        await remove(id)
        await end(wanted)
        expect(await make()).toBe(1)
        at(scene.service.clock.now() + 13 * HOUR)
        const ofProgramme = eq(recordedProgrammes.programmeId, wanted.id)
        const [pinned] = await db().select().from(recordedProgrammes).where(ofProgramme)
        await db().transaction(async (tx) => {
          await pinAgain(tx, pinned?.id ?? 0)
          await replaceCopy(tx, id, 0)
          await tend()
        })
        expect(await db().select().from(recordedProgrammes).where(ofProgramme)).toMatchObject([
          { unpinnedAt: null },
        ])
        await remove(id)
      })

    if (store === 's3')
      it('wait while the store is away', async () => {
        at(NOON)
        const wanted = await programme('La Houle', 10)
        const id = await record(wanted)
        await end(wanted)
        if (s3) s3.fault = () => ({ status: 503, code: 'SlowDown' })
        await expect(make()).rejects.toMatchObject({ name: 'StoreError' })
        if (s3) s3.fault = () => undefined
        expect(await make()).toBe(1)
        expect(await setsOf(id)).toHaveLength(3)
      })
  },
)

describe.each(DATABASES)('recordings that share one copy, on a database of kind %s', (kind) => {
  const { at, programme, record, end, make, setsOf, tend, scene } = copiesScene(
    kind,
    'shared',
    () => undefined,
  )

  it('have none of their own, and keep the media of the channel pinned', async () => {
    at(NOON)
    const wanted = await programme()
    const id = await record(wanted)
    await end(wanted)
    expect(await make()).toBe(0)
    at(scene.service.clock.now() + 13 * HOUR)
    await tend()
    expect(await setsOf(id)).toEqual([])
    const { db } = scene.service.context
    expect(await db.$count(recordedProgrammes, isNotNull(recordedProgrammes.unpinnedAt))).toBe(0)
  })
})

describe.each(DATABASES)('copies of a live channel, on a database of kind %s', (kind) => {
  const { scene, at, record, end, make, setsOf, manifests, tend, get } = copiesScene(
    kind,
    'each',
    () => undefined,
  )
  /** Length of each TrackSet. */
  const LENGTH = 20 * SECOND

  it('have its gaps and slates, and stay when its media is swept', async () => {
    const { db, segments } = scene.service.context
    const inPackages = ['television']
    const channel = await scene.make.channel(
      'Phare',
      { kind: 'sequence', titles: ['x'] },
      { kind: 'live', rules: null, inPackages },
    )
    let growing: Parameters<typeof endSet>[1] | undefined
    for (let position = 0; position < 8; position++) {
      const document = buildTrackSet({ seconds: LENGTH / SECOND, encrypted: false, subtitles: ['fra'] })
      if (position === 0) await setLayout(db, channel.id, layoutOfChannel([document], 4), NOON)
      // Nothing arrives for 12 s before the fourth TrackSet.
      const startsAt = NOON - LENGTH + position * LENGTH + (position < 3 ? 0 : 12 * SECOND)
      const counts = { mediaSequence: position * 5, discontinuitySequence: position }
      const joint = position === 3 ? ('gap' as const) : ('break' as const)
      const row = { channelId: channel.id, position, startsAt, joint, isSlate: position === 0, ...counts }
      await db.transaction(async (tx) => await addSet(tx, row, document, Buffer.alloc(16)))
      const set = { channelId: channel.id, trackSetId: document.id, startsAt, endsAt: startsAt + LENGTH }
      // The last TrackSet of the interval still grows when the recording is settled.
      if (position !== 6) await db.transaction(async (tx) => await endSet(tx, set))
      else growing = set
      for (const { id: rendition, kind: what } of document.renditions)
        for (const name of what === 'text'
          ? [1, 2, 3, 4, 5].map((number) => `${number}.vtt`)
          : ['init.mp4', ...[1, 2, 3, 4, 5].map((number) => `${number}.m4s`)])
          await segments.write({ trackSet: document.id, rendition, name }, Buffer.from(`${position} ${name}`))
    }
    const [show] = await db
      .insert(programmes)
      .values({
        channelId: channel.id,
        universalId: 'live',
        startsAt: NOON,
        endsAt: NOON + 120 * SECOND,
        titles: { fra: 'Le Direct' },
        moralityLevel: 0,
      })
      .returning()
    at(NOON - MINUTE)
    const wanted = { id: show?.id ?? 0, id_channel: channel.id, endutc: NOON / SECOND + 120 }
    const id = await record(wanted)
    await end(wanted)
    const before = await manifests(id)
    expect(await make()).toBe(0)
    await db.transaction(async (tx) => {
      if (growing) await endSet(tx, growing)
    })
    expect(await make()).toBe(1)
    const { shown } = await manifests(id)
    expect(shown).toEqual(before.shown)
    const sets = await setsOf(id)
    expect(sets.map(({ from, to }) => [from, to])).toEqual([
      [3, 5],
      [0, 5],
      [0, 5],
      [0, 5],
      [0, 5],
      [0, 5],
      [0, 4],
    ])
    expect((await get(`/media/${sets[3]?.id}/v720/2.m4s`)).body).toBe('3 2.m4s')
    // Subtitles are not encrypted.
    expect((await get(`/media/${sets[3]?.id}/t-fra-1/2.vtt`)).body).toBe('3 2.vtt')
    at(scene.service.clock.now() + 13 * HOUR)
    await tend()
    expect(await sweepLiveSets(scene.service.context, scene.service.clock.now())).toBe(7)
    expect((await manifests(id)).shown).toEqual(shown)
    expect((await get(`/media/${sets[3]?.id}/v720/2.m4s`)).body).toBe('3 2.m4s')
    expect((await get(`/media/${sets[3]?.sourceId}/v720/2.m4s`)).statusCode).toBe(404)
  })
})
