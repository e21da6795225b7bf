import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { FakeAdServer } from '../../../../test/fake-ad-server.ts'
import { NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { PATIENCE } from '../../../../test/waiting.ts'
import { copyable, ffmpeg, picture, stereo, temporaryFolder, tone } from '../../../ingest/test-media.ts'
import { MAKING } from '../../../ingest/workspace.ts'
import { sweepMedia } from '../../content/library/sweep-media.ts'
import { adCreatives } from '../../inventory/creatives/creatives.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { creativeId, sweepAds } from './ads.service.ts'
import { prepareCreative } from './prepare-creative.ts'

const DAY_MS = 24 * 3600_000

describe('creatives', () => {
  let service: TestService
  let host: FakeAdServer
  let spot: Buffer

  beforeAll(async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'spot.mp4')
    await ffmpeg([...picture({ seconds: 4 }), ...tone(4), ...copyable, ...stereo, path])
    spot = await readFile(path)
    host = new FakeAdServer()
    await host.start()
    service = await startTestService('embedded', { OUTBOUND_ALLOW: ['127.0.0.1'] })
    await changeConfigurationOf(service, { 'ads.serverUrl': `${host.base}/ads` })
  })
  beforeEach(() => {
    host.requests.splice(0)
  })
  afterAll(async () => {
    await service.remove()
    await host.stop()
  })

  async function named(path: string, body: Buffer | undefined): Promise<string> {
    if (body) host.documents.set(path, body)
    const address = host.base + path
    const id = creativeId(address)
    await service.context.db.insert(adCreatives).values({ id, address, storefrontId: 1, namedAt: NOON })
    return id
  }

  const prepare = async (id: string) =>
    await prepareCreative(service.context, id, new AbortController().signal)

  async function rowOf(id: string) {
    const [row] = await service.context.db.select().from(adCreatives).where(eq(adCreatives.id, id))
    return row
  }

  it('are fetched and prepared once', async () => {
    const id = await named('/spot.mp4', spot)
    await prepare(id)
    await prepare(id)
    expect(host.requests).toEqual(['/spot.mp4'])
    const row = await rowOf(id)
    expect(row?.state).toBe('ready')
    const [stored] = await service.context.db
      .select()
      .from(trackSets)
      .where(eq(trackSets.id, row?.trackSetId ?? ''))
    expect(stored?.document.encryption?.keyId).toMatch(/^[0-9a-f]{32}$/)
    expect(stored?.key).toHaveLength(16)
    expect(Math.round(stored?.durationSeconds ?? 0)).toBe(4)
  })

  it.each([
    ['missing', undefined],
    ['no video', randomBytes(5000)],
  ])('that are %s fail, and are not asked for again', async (what, body) => {
    const id = await named(`/${what.replace(' ', '-')}.mp4`, body)
    await prepare(id)
    expect((await rowOf(id))?.state).toBe('failed')
    const requests = host.requests.length
    await prepare(id)
    expect(host.requests).toHaveLength(requests)
  })

  it.each([408, 429, 503])('wait after an answer with status %i', async (status) => {
    const path = `/busy-${status}.mp4`
    const id = await named(path, undefined)
    host.statuses.set(path, status)
    await expect(prepare(id)).rejects.toThrow(`${status}`)
    expect((await rowOf(id))?.state).toBe('waiting')
    host.documents.set(path, spot)
    await prepare(id)
    expect((await rowOf(id))?.state).toBe('ready')
  })

  it('that are longer than any advertisement are not encoded', async () => {
    await using folder = await temporaryFolder()
    const [short, long] = ['short.mp4', 'long.mp4'].map((name) => join(folder.path, name))
    await writeFile(short ?? '', spot)
    await ffmpeg(['-stream_loop', '80', '-i', short ?? '', '-c', 'copy', long ?? ''])
    const before = await service.context.db.$count(trackSets)
    const id = await named('/long.mp4', await readFile(long ?? ''))
    await prepare(id)
    expect((await rowOf(id))?.state).toBe('failed')
    expect(await service.context.db.$count(trackSets)).toBe(before)
  })

  it('that fail are tried again the next night', async () => {
    const id = await named('/soon.mp4', undefined)
    await prepare(id)
    expect((await rowOf(id))?.state).toBe('failed')
    await sweepAds(service.context.db, NOON + DAY_MS)
    expect(await rowOf(id)).toBeUndefined()
  })

  it('wait while their server cannot be reached, and are removed if they are no longer named', async () => {
    const { db } = service.context
    const address = 'http://127.0.0.1:1/spot.mp4'
    const { undo } = await changeConfigurationOf(service, { 'ads.serverUrl': 'http://127.0.0.1:1/ads' })
    const id = creativeId(address)
    await db.insert(adCreatives).values({ id, address, storefrontId: 1, namedAt: NOON })
    await expect(prepare(id)).rejects.toThrow()
    expect((await rowOf(id))?.state).toBe('waiting')
    await undo()
    await sweepAds(db, NOON + DAY_MS)
    expect((await rowOf(id))?.state).toBe('waiting')
    await sweepAds(db, NOON + 31 * DAY_MS)
    expect(await rowOf(id)).toBeUndefined()
  })

  it('are not fetched from an address in a private network, unless it is the configured ad server’s', async () => {
    const other = new FakeAdServer()
    await other.start()
    other.documents.set('/spot.mp4', spot)
    const address = `${other.base}/spot.mp4`
    const id = creativeId(address)
    await service.context.db.insert(adCreatives).values({ id, address, storefrontId: 1, namedAt: NOON })
    await prepare(id)
    expect((await rowOf(id))?.state).toBe('failed')
    expect(other.requests).toEqual([])
    await other.stop()
  })

  it('are fetched into a workspace, which the sweep of media removes after a crash', async () => {
    host.silent.add('/silent.mp4')
    const id = await named('/silent.mp4', spot)
    const { workFolder } = service.context.segments
    const before = await readdir(workFolder)
    const stopping = new AbortController()
    const preparing = prepareCreative(service.context, id, stopping.signal)
    await vi.waitFor(() => expect(host.requests).toEqual(['/silent.mp4']), PATIENCE)
    expect(await readdir(join(workFolder, MAKING))).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(new Set([...before, MAKING])).toEqual(new Set([...(await readdir(workFolder)), MAKING]))
    stopping.abort()
    await expect(preparing).rejects.toThrow()
    expect(await readdir(join(workFolder, MAKING))).toEqual([])
    host.silent.clear()
  })

  it('of the operator’s own are read from the library, and from nowhere else', async () => {
    const { library } = service.context.folders
    await mkdir(library, { recursive: true })
    await writeFile(join(library, 'spot.mp4'), spot)
    await writeFile(join(library, '../outside.mp4'), spot)
    const states = []
    for (const address of ['library:spot.mp4', 'library:../outside.mp4', 'library:missing.mp4']) {
      const id = creativeId(address)
      await service.context.db.insert(adCreatives).values({ id, address, storefrontId: 1, namedAt: NOON })
      await prepare(id)
      states.push((await rowOf(id))?.state)
    }
    expect(states).toEqual(['ready', 'failed', 'failed'])
  })

  it('stay while ad servers name them, and are removed with their media later', async () => {
    const { db } = service.context
    const id = await named('/kept.mp4', spot)
    await prepare(id)
    const trackSetId = (await rowOf(id))?.trackSetId ?? ''
    service.clock.set(NOON + 2 * DAY_MS)
    await sweepMedia(service.context)
    service.clock.set(NOON + 4 * DAY_MS)
    await sweepMedia(service.context)
    expect(await db.$count(trackSets, eq(trackSets.id, trackSetId))).toBe(1)
    await sweepAds(db, NOON + 31 * DAY_MS)
    expect(await rowOf(id)).toBeUndefined()
    service.clock.set(NOON + 32 * DAY_MS)
    await sweepMedia(service.context)
    service.clock.set(NOON + 34 * DAY_MS)
    await sweepMedia(service.context)
    expect(await db.$count(trackSets, eq(trackSets.id, trackSetId))).toBe(0)
    service.clock.set(NOON)
  })
})
