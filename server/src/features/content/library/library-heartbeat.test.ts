import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { copyable, ffmpeg, picture, stereo, tone } from '../../../ingest/test-media.ts'
import { fingerprint } from './fingerprint.ts'
import { cancelImport, putImport, releaseInterrupted } from './library.repository.ts'
import { imports } from './library.table.ts'
import { LOST_MS, type Outcome, prepareMedia } from './prepare-media.ts'

describe.each(MAIN_DB)('a worker’s heartbeat, on a database of kind %s', { timeout: 300_000 }, (kind) => {
  // Background jobs are not started, so nothing else processes or releases the imports.
  let service: TestService
  let folder: string
  let hold: string
  let reading: string
  let worker: AbortController
  let id: number

  beforeAll(async () => {
    service = await startTestService(kind)
    folder = await mkdtemp(join(tmpdir(), 'ondine-heartbeat-'))
    hold = join(folder, 'hold')
    reading = join(folder, 'reading')
    const source = join(folder, 'large.mp4')
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, source])
    // Reading this file takes as long as `hold` exists, as reading a large file on a slow disk does.
    const programs = join(folder, 'programs')
    await mkdir(programs)
    const path = process.env.PATH ?? ''
    await writeFile(
      join(programs, 'ffprobe'),
      `#!/bin/sh\n: > '${reading}'\nwhile [ -e '${hold}' ]; do sleep 0.05; done\nPATH='${path}' exec ffprobe "$@"\n`,
    )
    await chmod(join(programs, 'ffprobe'), 0o755)
    vi.stubEnv('PATH', `${programs}${delimiter}${path}`)
    await buildersOf(service.context).asset('Large', { sourceKey: 'films:large.mp4', trackSet: null })
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await service.remove()
    await rm(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    worker = new AbortController()
    await writeFile(hold, '')
    await rm(reading, { force: true })
    const source = join(folder, 'large.mp4')
    id = await putImport(
      service.context.db,
      {
        kind: 'film',
        source,
        library: 'films',
        work: { target: { asset: 'films:large.mp4' }, media: 'main', subtitles: [] },
        title: 'Large',
        fingerprint: await fingerprint({ path: source, subtitles: [] }),
      },
      service.clock.now(),
    )
  })
  afterEach(() => vi.useRealTimers())

  const rowOf = async () => {
    const [row] = await service.context.db.select().from(imports).where(eq(imports.id, id))
    return row
  }
  /** Starts the preparation, and waits until ffprobe reads the file. */
  const begin = async (): Promise<Promise<Outcome>[]> => {
    const preparing = prepareMedia(service.context, id, worker.signal)
    preparing.catch(() => {})
    await expect.poll(() => existsSync(reading), { timeout: 30_000 }).toBe(true)
    // In an array, because awaiting the call would otherwise await the preparation too.
    return [preparing]
  }
  /** Lets time pass for the worker's timers and for the clock, and then looks for dead workers, as the job does. */
  const pass = async (milliseconds: number, { isAlive = true } = {}): Promise<void> => {
    const { db } = service.context
    service.clock.advance(milliseconds)
    if (isAlive) {
      vi.advanceTimersByTime(milliseconds)
      await expect.poll(async () => (await rowOf())?.updatedAt).toBe(service.clock.now())
    }
    await releaseInterrupted(db, service.clock.now() - LOST_MS, service.clock.now())
  }

  it('keeps a file whose reading reports no progress for minutes', async () => {
    const [preparing] = await begin()
    for (let seconds = 0; seconds < 180; seconds += 20) await pass(20_000)
    expect(await rowOf()).toMatchObject({ state: 'probing', percent: 0, attempts: 1 })
    await rm(hold)
    expect(await preparing).toBe('ready')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('stops the work of a file that is cancelled meanwhile', async () => {
    const [preparing] = await begin()
    await pass(20_000)
    await cancelImport(service.context.db, id, service.clock.now())
    vi.advanceTimersByTime(20_000)
    expect(await preparing).toBe('dropped')
    expect(await rowOf()).toMatchObject({ state: 'cancelled' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is missed after a minute, so that another worker gets the file', async () => {
    const [preparing] = await begin()
    await pass(LOST_MS, { isAlive: false })
    expect(await rowOf()).toMatchObject({ state: 'probing' })
    await pass(1, { isAlive: false })
    expect(await rowOf()).toMatchObject({ state: 'waiting' })
    // The worker was not dead. It stops, and leaves the file to the other one.
    vi.advanceTimersByTime(20_000)
    expect(await preparing).toBe('dropped')
    expect(await rowOf()).toMatchObject({ state: 'waiting' })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends when the worker is stopped, and when the file cannot be prepared', async () => {
    const [stopped] = await begin()
    worker.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    expect(await rowOf()).toMatchObject({ state: 'waiting' })
    expect(vi.getTimerCount()).toBe(0)

    worker = new AbortController()
    await rm(reading)
    const [failing] = await begin()
    await rm(join(folder, 'large.mp4'))
    await rm(hold)
    expect(await failing).toBe('failed')
    expect(vi.getTimerCount()).toBe(0)
  })
})
