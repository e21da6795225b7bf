import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readAsset } from '@ondine/contract/playback'
import { eq } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { doctorCommand } from '../src/control/doctor.ts'
import { readSettings } from '../src/env.ts'
import { queueImports } from '../src/features/content/library/import-queue.service.ts'
import { importLibrary } from '../src/features/content/library/library.service.ts'
import { imports } from '../src/features/content/library/library.table.ts'
import { sweepMedia } from '../src/features/content/library/sweep-media.ts'
import { liveSets } from '../src/features/inventory/line-up/line-up.table.ts'
import { assets, medias, trackSets } from '../src/features/inventory/titles/titles.table.ts'
import {
  findInputs,
  holdInputs,
  putInput,
} from '../src/features/streams/live-inputs/live-inputs.repository.ts'
import { LiveRecorder } from '../src/features/streams/live-inputs/live-recorder.ts'
import { slateLook } from '../src/features/streams/live-inputs/slate-look.ts'
import { sweepLiveSets } from '../src/features/streams/live-inputs/sweep-live-sets.ts'
import { encodeSlate } from '../src/ingest/live/slate.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../src/ingest/test-media.ts'
import { createService } from '../src/service.ts'
import { buildersOf } from './builders.ts'
import { runCommand } from './commands.ts'
import { copyEmbedded } from './databases.ts'
import { startS3, type TestS3 } from './s3-server.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from './service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** End of the first segment of a live input, at a time when the period of the content key does not end soon. */
const START = NOON + 10_000
const SET = 'e'.repeat(32)
const { signal } = new AbortController()
const FILM = 'Films/La Houle (2026)/La Houle (2026)'

vi.setConfig({ testTimeout: 240_000 })

describe.each(MAIN_DB)('media in an S3-compatible store, with a database of kind %s', (kind) => {
  let s3: TestS3
  let service: TestService
  let library: string
  let make: ReturnType<typeof buildersOf>

  beforeAll(async () => {
    s3 = await startS3('/tv')
    service = await startTestService(kind, { ...s3.settings, DEMO: true })
    make = buildersOf(service.context)
    library = await mkdtemp(join(tmpdir(), 'ondine-s3-library-'))
    const file = { trackSet: SET, rendition: 'v720' }
    await service.context.segments.write({ ...file, name: '1.m4s' }, Buffer.from('0123456789'))
    await service.context.segments.write({ ...file, name: '2.m4s' }, Buffer.alloc(8_000_000, 'x'))
  })
  afterAll(async () => {
    await service.remove()
    await s3.close()
    await rm(library, { recursive: true, force: true })
    await rm(`${library}-other`, { recursive: true, force: true })
  })
  beforeEach(() => {
    s3.seen.length = 0
  })
  afterEach(() => {
    s3.fault = () => undefined
  })

  const media = async (name: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
    await service.app.inject({ method, url: `/media/${SET}/v720/${name}`, headers })

  /** Returns the ids of the TrackSets that have objects. */
  const stored = async () =>
    new Set((await s3.keys()).flatMap((key) => /^tv\/([0-9a-f]{32})\//.exec(key)?.slice(1) ?? []))

  const mediaOf = async (title: string) => {
    const rows = await service.context.db
      .select({ titles: assets.titles, kind: medias.kind, id: medias.trackSetId, asset: assets.id })
      .from(medias)
      .innerJoin(assets, eq(assets.id, medias.assetId))
    return rows.find(({ titles, kind }) => kind === 'main' && Object.values(titles).includes(title))
  }

  it('is served to anyone, cacheable for a year, whole, in ranges and as headers', async () => {
    const whole = await media('1.m4s')
    expect([whole.statusCode, whole.body]).toEqual([200, '0123456789'])
    expect(whole.headers).toMatchObject({
      'content-type': 'video/iso.segment',
      'content-length': '10',
      'cache-control': 'public, max-age=31536000, immutable',
      'access-control-allow-origin': '*',
      'accept-ranges': 'bytes',
    })
    const part = await media('1.m4s', { range: 'bytes=2-4' })
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
    expect(part.headers['cache-control']).toContain('immutable')
    const beyond = await media('1.m4s', { range: 'bytes=50-60' })
    expect([beyond.statusCode, beyond.body, beyond.headers['content-range']]).toEqual([416, '', 'bytes */10'])
    const unreadable = await media('1.m4s', { range: 'bytes=abc' })
    expect([unreadable.statusCode, unreadable.body]).toEqual([200, '0123456789'])
    const head = await media('1.m4s', {}, 'HEAD')
    expect([head.statusCode, head.headers['content-length'], head.body]).toEqual([200, '10', ''])
    const known = await media('1.m4s', { 'if-none-match': whole.headers.etag })
    expect([known.statusCode, known.body]).toEqual([304, ''])
  })

  it.each(['9.m4s', '0.m4s', 'track-set.json', '..%2f..%2f.database', '1.m4s%00.jpg', '%2e%2e/1.m4s'])(
    'does not serve %s, and does not ask the store for names that no TrackSet has',
    async (name) => {
      const answer = await media(name)
      expect([400, 404]).toContain(answer.statusCode)
      expect(answer.headers['cache-control'] ?? '').not.toContain('immutable')
      if (name !== '9.m4s') expect(s3.seen).toEqual([])
    },
  )

  it.each(['reset', { status: 503, code: 'SlowDown' }, { status: 403, code: 'AccessDenied' }] as const)(
    'asks viewers to come back while the store answers %j',
    async (fault) => {
      s3.fault = () => fault
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await media('1.m4s', {}, method)
        expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5'])
        expect(answer.headers['cache-control'] ?? '').not.toContain('immutable')
        expect(answer.body).not.toMatch(/S3RVER|127\.0\.0\.1|s3:/)
      }
      s3.fault = () => undefined
      expect((await media('1.m4s')).statusCode).toBe(200)
    },
  )

  it('does not pass off a broken transfer as a whole file', async () => {
    s3.fault = () => 'cut'
    const { port } = (await listening()).address() as AddressInfo
    const received = await download(port, '2.m4s')
    expect(received.isComplete).toBe(false)
    expect(received.bytes).toBeLessThan(8_000_000)
  })

  it('ends the transfer from the store when a viewer leaves', async () => {
    const { port } = (await listening()).address() as AddressInfo
    const answer = await new Promise<{ destroy(): void }>((resolve) => {
      get({ port, path: `/media/${SET}/v720/2.m4s` }, (incoming) =>
        incoming.once('data', () => resolve(incoming)),
      )
    })
    answer.destroy()
    await expect.poll(() => s3.inFlight).toBe(0)
    expect((await media('1.m4s')).statusCode).toBe(200)
  })

  async function listening() {
    if (!service.app.server.listening) await service.app.listen({ port: 0, host: '127.0.0.1' })
    return service.app.server
  }

  async function download(port: number, name: string): Promise<{ isComplete: boolean; bytes: number }> {
    return await new Promise((resolve) => {
      let bytes = 0
      get({ port, path: `/media/${SET}/v720/${name}` }, (incoming) => {
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length
        })
        incoming.on('error', () => undefined)
        incoming.on('close', () => resolve({ isComplete: incoming.complete, bytes }))
      }).on('error', () => resolve({ isComplete: false, bytes }))
    })
  }

  it('is imported although the store is away in between, and every file of its manifest plays', async () => {
    await mkdir(dirname(join(library, FILM)), { recursive: true })
    await ffmpeg([
      ...picture({ seconds: 9 }),
      ...tone(9),
      ...copyable,
      ...stereo,
      join(library, `${FILM}.mp4`),
    ])
    await writeFile(join(library, `${FILM}.fr.srt`), '1\n00:00:01,000 --> 00:00:02,000\nBonjour\n')
    let puts = 0
    s3.fault = ({ method, key }) =>
      method === 'PUT' && key.endsWith('.m4s') && ++puts < 4
        ? { status: 500, code: 'InternalError' }
        : undefined
    expect(await importLibrary(service.context, library, { signal })).toMatchObject({ ready: 1, failed: [] })
    const film = await mediaOf('La Houle')
    expect(new Set(await service.context.segments.entries.list())).toEqual(new Set([SET, film?.id]))
    expect((await s3.keys()).filter((key) => key.startsWith('tv/.making'))).toEqual([])
    // No file of the TrackSet may remain on the disk.
    const { media: folder } = service.context.folders
    expect([await readdir(folder), await readdir(join(folder, '.making'))]).toEqual([['.making'], []])

    const { tokens } = await make.actor()
    const input = {
      idAsset: film?.asset ?? 0,
      idAudioLang: 'fra',
      idSubtitleLang: 'fra',
      format: 'hls',
    } as const
    const { url } = (await service.call(readAsset, input, tokens)).result
    const fetched = async (uri: string, base: string) => {
      const { pathname } = new URL(uri, `http://x${base}`)
      const answer = await service.app.inject({ url: pathname })
      expect([pathname, answer.statusCode]).toEqual([pathname, 200])
      return { pathname, text: answer.body }
    }
    const master = hls.parse((await fetched(url, url)).text) as types.MasterPlaylist
    const [variant] = master.variants
    const lists = [
      variant?.uri,
      ...(variant?.audio ?? []).map(({ uri }) => uri),
      ...(variant?.subtitles ?? []).map(({ uri }) => uri),
    ]
    expect(lists.length).toBeGreaterThan(2)
    for (const uri of lists) {
      const list = await fetched(uri ?? '', url)
      const { segments } = hls.parse(list.text) as types.MediaPlaylist
      expect(segments.length).toBeGreaterThan(1)
      for (const segment of segments)
        for (const each of [segment.map?.uri, segment.uri])
          if (each !== undefined && each !== null) await fetched(each, list.pathname)
    }
    const text = await service.app.inject({ url: `/media/${film?.id}/t-fra-1/1.m4s` })
    expect([text.statusCode, text.rawPayload.includes('Bonjour')]).toEqual([200, true])
    const tiles = await service.app.inject({ url: `/media/${film?.id}/thumbnails/1.jpg` })
    expect([tiles.statusCode, tiles.headers['content-type']]).toEqual([200, 'image/jpeg'])
  })

  it('gets other subtitles without an upload of the film, and its old TrackSet is swept a day later', async () => {
    const before = await mediaOf('La Houle')
    await writeFile(join(library, `${FILM}.en.vtt`), 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n')
    s3.seen.length = 0
    const uploaded: string[] = []
    s3.fault = ({ method, key }) => {
      if (method === 'PUT') uploaded.push(key)
      return undefined
    }
    expect((await importLibrary(service.context, library, { signal })).ready).toBe(1)
    const after = await mediaOf('La Houle')
    expect(after?.id).not.toBe(before?.id)
    expect(uploaded.some((key) => key.includes(`${after?.id}/v`))).toBe(true)
    const segment = await service.app.inject({ url: `/media/${after?.id}/v180/1.m4s` })
    expect(segment.rawPayload).toEqual(
      (await service.app.inject({ url: `/media/${before?.id}/v180/1.m4s` })).rawPayload,
    )

    expect(await stored()).toContain(before?.id)
    await sweepMedia(service.context)
    service.clock.advance(25 * HOUR)
    // The store fails during the removal of the TrackSet. Its row must stay, and the next sweep must remove both.
    s3.fault = ({ method, key }) =>
      method === 'PUT' && key.includes('.making') ? { status: 403, code: 'AccessDenied' } : undefined
    await expect(sweepMedia(service.context)).rejects.toThrow('AccessDenied')
    const row = async () =>
      await service.context.db
        .select()
        .from(trackSets)
        .where(eq(trackSets.id, before?.id ?? ''))
    expect(await row()).toHaveLength(1)
    s3.fault = () => undefined
    expect((await service.app.inject({ url: `/media/${before?.id}/v180/1.m4s` })).statusCode).toBe(200)
    await sweepMedia(service.context)
    await expect.poll(stored).not.toContain(before?.id)
    expect(await row()).toEqual([])
    expect(await stored()).toContain(after?.id)
  })

  it('waits while the store is away, is not encoded for nothing, and loses nothing', async () => {
    const path = join(library, 'Films/Le Large (2026)/Le Large (2026).mp4')
    await mkdir(dirname(path), { recursive: true })
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, path])
    s3.fault = () => ({ status: 403, code: 'AccessDenied' })
    const importing = importLibrary(service.context, library, { signal })
    await expect.poll(() => s3.seen.some(({ key }) => key === 'tv/.check')).toBe(true)
    const waiting = await service.context.db.select().from(imports).where(eq(imports.source, path))
    expect(waiting).toMatchObject([{ state: 'waiting', attempts: 0 }])
    s3.fault = () => undefined
    await expect
      .poll(async () => {
        const [row] = await service.context.db.select().from(imports).where(eq(imports.source, path))
        if (row?.state === 'waiting') service.clock.advance(MINUTE)
        await queueImports(service.context)
        return (await mediaOf('Le Large'))?.id
      })
      .toBeDefined()
    expect(await importing).toMatchObject({ ready: 1, failed: [] })
  })

  it('is not encoded again and again when the store refuses it, and the operator learns why', async () => {
    const path = join(library, 'Films/Le Port (2026)/Le Port (2026).mp4')
    await mkdir(dirname(path), { recursive: true })
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, path])
    const { db } = service.context
    const row = async () => (await db.select().from(imports).where(eq(imports.source, path)))[0]
    s3.fault = () => ({ status: 403, code: 'AccessDenied' })
    const importing = importLibrary(service.context, library, { signal })
    await expect.poll(async () => (await row())?.state).toBe('waiting')
    // Simulates attempts that restarts have interrupted.
    await db.update(imports).set({ attempts: 7 }).where(eq(imports.source, path))
    s3.fault = ({ method, key }) =>
      method === 'PUT' && key.endsWith('.m4s') ? { status: 403, code: 'InvalidRequest' } : undefined
    await expect
      .poll(
        async () => {
          const state = (await row())?.state
          if (state === 'waiting') service.clock.advance(MINUTE)
          await queueImports(service.context)
          return state
        },
        { timeout: 120_000 },
      )
      .toBe('failed')
    expect(await row()).toMatchObject({ attempts: 10, refusals: 2, reason: { code: 'notStored' } })
    expect((await row())?.reason?.detail).toContain('InvalidRequest')
    s3.fault = () => undefined
    expect((await importing).failed).toHaveLength(1)
  })

  it('waits while the store is full, says so, is not encoded for nothing, and goes on when there is space', async () => {
    const folder = `${library}-other`
    const path = join(folder, 'Films/La Digue (2026)/La Digue (2026).mp4')
    await mkdir(dirname(path), { recursive: true })
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, path])
    const { db } = service.context
    const row = async () => (await db.select().from(imports).where(eq(imports.source, path)))[0]
    /** Runs the queue once, after the pause that follows a postponed import. */
    const runQueue = async () => {
      if ((await row())?.state === 'waiting') service.clock.advance(MINUTE)
      await queueImports(service.context)
    }
    const full = { status: 507, code: 'XMinioStorageFull' }
    s3.fault = ({ method }) => (method === 'PUT' ? full : undefined)
    const said = new Set<string>()
    const importing = importLibrary(service.context, folder, {
      signal,
      onProgress: ({ postponed }) => postponed && said.add(postponed.reason),
    })
    // No file is begun in a store that takes no byte.
    await expect
      .poll(
        async () => {
          await runQueue()
          return await row()
        },
        { timeout: 120_000 },
      )
      .toMatchObject({ state: 'waiting', attempts: 0, reason: { code: 'storeFull' } })
    expect(await runCommand(service, 'imports list')).toMatch(
      /waiting 0 % La Digue .* The media store is full\. .*XMinioStorageFull/,
    )
    await expect(runCommand(service, 'doctor')).rejects.toThrow('of the checks failed')

    // The space is enough for a test, but not for the film.
    let refused = 0
    s3.fault = ({ method, key }) => {
      if (method !== 'PUT' || !key.endsWith('.m4s')) return undefined
      refused++
      return full
    }
    await expect
      .poll(
        async () => {
          await runQueue()
          const { state, reason } = (await row()) ?? {}
          return refused > 1 && state === 'publishing' && reason?.code
        },
        { timeout: 120_000 },
      )
      .toBe('storeFull')
    expect(await runCommand(service, 'imports list')).toMatch(/publishing .* The media store is full\./)
    // Nothing of the film takes space meanwhile.
    await expect.poll(async () => (await s3.keys()).filter((key) => key.includes('.making'))).toEqual([])
    s3.fault = () => undefined
    expect(await importing).toMatchObject({ ready: 1, failed: [] })
    expect(await row()).toMatchObject({ state: 'ready', attempts: 1, refusals: 0, reason: null })
    expect([...said]).toEqual(['storeFull'])
  })

  it('of a live input is appended, and swept when no viewer can reach it', async () => {
    const { db } = service.context
    const { id: channelId } = await make.channel(
      'Live',
      { kind: 'sequence', titles: ['nothing'] },
      { kind: 'live' },
    )
    await putInput(db, channelId, 'udp://127.0.0.1:5000', null)
    const inputId = (await findInputs(db, NOON)).find((row) => row.channelId === channelId)?.id ?? 0
    const holder = randomUUID()
    await holdInputs(db, holder, [{ inputId, status: null }])
    const recorder = new LiveRecorder(service.context, channelId, { inputId, holder })
    const cutOf = await encodeSlate(
      { picture: { width: 320, height: 180, frameRate: 25 }, sound: 'und' },
      slateLook(service.context),
      service.context.segments.workFolder,
      signal,
    )
    let failures = 0
    // A brief failure of the store must cost no segment.
    s3.fault = ({ method }) =>
      method === 'PUT' && ++failures <= 2 ? { status: 503, code: 'SlowDown' } : undefined
    for (const number of [0, 1, 2]) await recorder.append(cutOf(number), START + number * 2000)
    await recorder.append({ ...cutOf(0), isContinuous: false }, START + 6000)
    // In a full store, nothing can be written, but objects can be deleted.
    const before = await stored()
    s3.fault = ({ method, key }) =>
      method === 'PUT' && !key.includes('/v180/') ? { status: 403, code: 'QuotaExceeded' } : undefined
    const full = recorder.append({ ...cutOf(1), isContinuous: false }, START + 8000)
    await expect(full).rejects.toThrow('QuotaExceeded')
    expect(await stored()).toEqual(before)
    s3.fault = () => undefined
    await recorder.close()
    const sets = async () =>
      await db.select().from(liveSets).where(eq(liveSets.channelId, channelId)).orderBy(liveSets.position)
    const [first, second] = await sets()
    expect([...(await stored())]).toEqual(expect.arrayContaining([first?.trackSetId, second?.trackSetId]))
    for (const name of ['init.mp4', '1.m4s', '2.m4s', '3.m4s'])
      expect((await service.app.inject({ url: `/media/${first?.trackSetId}/v180/${name}` })).statusCode).toBe(
        200,
      )

    await sweepLiveSets(service.context, NOON + 30 * 24 * HOUR)
    expect((await sets()).map(({ trackSetId }) => trackSetId)).toEqual([second?.trackSetId])
    expect(await stored()).not.toContain(first?.trackSetId)
    expect(await stored()).toContain(second?.trackSetId)
  })

  it('that the database does not know goes into quarantine, and is deleted only by an operator', async () => {
    await s3.client.put(`tv/holidays/mine.mp4`, 'mine', { patienceMs: 0 })
    expect(await stored()).toContain(SET)
    await sweepMedia(service.context, Date.now() + 2 * HOUR)
    expect(await service.context.segments.entries.quarantined()).toEqual([SET])
    expect(await stored()).toContain(SET)
    expect(await runCommand(service, 'doctor')).toMatch(/! store media: 1 in quarantine/)
    expect(await runCommand(service, 'store empty')).toBe('Entries deleted: 1.')
    expect(await stored()).not.toContain(SET)
    expect(await s3.keys()).toContain('tv/holidays/mine.mp4')
  })

  it('is left alone by another database', async () => {
    const other = await startTestService(kind, { ...s3.settings })
    const before = await s3.keys()
    await sweepMedia(other.context, Date.now() + 2 * HOUR)
    expect(await s3.keys()).toEqual(before)
    await expect(runCommand(other, 'store empty')).rejects.toThrow('belongs to another database')
    await other.remove()
  })
})

describe('a service whose store of media cannot be used', () => {
  it.each([
    [
      'wrong credentials',
      { AWS_SECRET_ACCESS_KEY: 'wrong-secret' },
      'SignatureDoesNotMatch): check AWS_SECRET_ACCESS_KEY',
    ],
    [
      'an address that does not answer',
      { AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' },
      'cannot be reached (ECONNREFUSED)',
    ],
  ])('starts with %s, says so in its log and in doctor, and serves the rest', async (_name, wrong, words) => {
    const s3 = await startS3()
    const folder = await mkdtemp(join(tmpdir(), 'ondine-s3-data-'))
    await copyEmbedded(folder)
    const said: string[] = []
    const { context, app, close } = await createService({
      settings: { ...readSettings({ DATA_DIR: folder, OVERLOAD_DELAY_MS: '0' }), ...s3.settings, ...wrong },
      log: pino({ level: 'warn' }, { write: (line) => said.push(line) }),
    })
    expect(said.join()).toContain(words)
    expect(said.join()).not.toMatch(/wrong-secret|S3RVER/)
    const lines: string[] = []
    await expect(
      doctorCommand.run(
        context,
        { arguments: [], options: {} },
        { signal, report: ({ text }) => lines.push(text) },
      ),
    ).rejects.toThrow('of the checks failed')
    expect(lines.join('\n')).toMatch(/✗ store media: s3:\/\/ondine-media/)
    expect(lines.join('\n')).toContain(words)
    expect(lines.join('\n')).not.toMatch(/wrong-secret|S3RVER/)
    expect((await app.inject({ url: '/readyz' })).statusCode).toBe(200)
    expect((await app.inject({ url: `/media/${SET}/v720/1.m4s` })).statusCode).toBe(503)
    await close()
    await s3.close()
    await rm(folder, { recursive: true, force: true })
  })
})
