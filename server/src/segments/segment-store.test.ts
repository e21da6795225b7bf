import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startS3, type TestS3 } from '../../test/s3-server.ts'
import { readSettings } from '../env.ts'
import { openSegments } from './open-segments.ts'
import { S3Client } from './s3-client.ts'
import { removeTrackSet, removeTrackSetIf, type SegmentStore } from './segment-store.ts'

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string]
const { signal } = new AbortController()
const NONE = async () => []

let work: string
let s3: TestS3
const said: string[] = []
const opened: SegmentStore[] = []

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'ondine-segments-'))
  s3 = await startS3('/live/ondine')
})
afterAll(async () => {
  for (const segments of opened) await segments.close()
  await s3.close()
  await rm(work, { recursive: true, force: true })
})
beforeEach(async () => {
  s3.fault = () => undefined
  said.length = 0
  await s3.client.delete(await s3.keys(), 0)
  for (const name of await readdir(work)) await rm(join(work, name), { recursive: true })
})

async function open(
  environment: Record<string, string> = {},
  closing: AbortSignal = signal,
): Promise<SegmentStore> {
  const settings = readSettings({ DATA_DIR: work, ...environment })
  const log = pino({ level: 'info' }, { write: (line) => said.push(line) })
  const segments = await openSegments(settings, work, log, closing)
  opened.push(segments)
  return segments
}

const environment = () => s3.settings as Record<string, string>

/** Makes a finished TrackSet in a folder, as ingest does. */
async function finished(id: string, text = id): Promise<string> {
  const folder = join(work, '.making', id, 'set')
  await mkdir(join(folder, 'v720'), { recursive: true })
  await mkdir(join(folder, 't-fra-1'))
  await writeFile(join(folder, 'v720', 'init.mp4'), 'init')
  for (const number of [1, 2, 3, 4])
    await writeFile(join(folder, 'v720', `${number}.m4s`), `${number} of ${text}`)
  await writeFile(join(folder, 't-fra-1', '1.vtt'), `WEBVTT ${text}`)
  await writeFile(join(folder, 'track-set.json'), '{}')
  return folder
}

async function publish(segments: SegmentStore, id: string): Promise<void> {
  await segments.publish({ id, folder: await finished(id) }, { signal })
}

const read = async (segments: SegmentStore, trackSet: string, name: string) => {
  const [rendition = '', file = ''] = name.split('/')
  return await segments.readText({ trackSet, rendition, name: file })
}

describe.each(['a folder', 'an S3-compatible store'])('segments in %s', (kind) => {
  const openIt = async () => await open(kind === 'a folder' ? {} : environment())

  it('are published as a whole, and listed then', async () => {
    const segments = await openIt()
    await segments.check()
    expect(await segments.entries.list()).toEqual([])
    await publish(segments, A)
    expect(await segments.entries.list()).toEqual([A])
    expect(await read(segments, A, 'v720/4.m4s')).toBe(`4 of ${A}`)
    expect(await read(segments, A, 'v720/5.m4s')).toBeUndefined()
    expect(await read(segments, B, 'v720/1.m4s')).toBeUndefined()
  })

  it('are published with renditions of an earlier TrackSet, which can be removed then', async () => {
    const segments = await openIt()
    await publish(segments, A)
    const folder = join(work, '.making', B, 'set')
    await mkdir(join(folder, 't-eng-1'), { recursive: true })
    await writeFile(join(folder, 't-eng-1', '1.vtt'), 'WEBVTT')
    await segments.publish({ id: B, folder, reused: { trackSet: A, renditions: ['v720'] } }, { signal })
    await removeTrackSet(segments, A)
    expect(await segments.entries.list()).toEqual([B])
    expect(await read(segments, A, 'v720/4.m4s')).toBeUndefined()
    expect(await read(segments, B, 'v720/4.m4s')).toBe(`4 of ${A}`)
    expect(await read(segments, B, 't-eng-1/1.vtt')).toBe('WEBVTT')
    expect(await read(segments, B, 't-fra-1/1.vtt')).toBeUndefined()
  })

  it('are not published with a rendition that is missing', async () => {
    const segments = await openIt()
    const reused = { trackSet: A, renditions: ['v720'] }
    const folder = join(work, '.making', B, 'set')
    await mkdir(folder, { recursive: true })
    await expect(segments.publish({ id: B, folder, reused }, { signal })).rejects.toThrow(/ENOENT|lacks/)
    expect(await segments.entries.list()).toEqual([])
  })

  it('are not published once the work is interrupted', async () => {
    const segments = await openIt()
    const folder = await finished(A)
    const ended = AbortSignal.abort(new Error('the service ends'))
    await expect(segments.publish({ id: A, folder }, { signal: ended })).rejects.toThrow('the service ends')
    expect(await segments.entries.list()).toEqual([])
  })

  it('grow file by file', async () => {
    const segments = await openIt()
    for (const name of ['init.mp4', '1.m4s', '2.m4s'])
      await segments.write({ trackSet: A, rendition: 'v720', name }, Buffer.from(name))
    expect(await segments.entries.list()).toEqual([A])
    expect(await read(segments, A, 'v720/2.m4s')).toBe('2.m4s')
  })

  it('leave the list at once when they are set aside, and are deleted later', async () => {
    const segments = await openIt()
    await publish(segments, A)
    await publish(segments, B)
    await segments.announceRemoval(A)
    await segments.setAside(A)
    expect(await segments.entries.list()).toEqual([B])
    // Simulates a process that was killed before it called `discard`.
    await segments.clear(Infinity, NONE)
    expect(await segments.entries.list()).toEqual([B])
    expect(await read(segments, A, 'v720/1.m4s')).toBeUndefined()
    await removeTrackSet(segments, A)
  })

  it('whose removal was not committed are in the store again', async () => {
    const segments = await openIt()
    await publish(segments, A)
    await segments.announceRemoval(A)
    await segments.setAside(A)
    await segments.clear(Infinity, async (ids) => [...ids])
    expect(await segments.entries.list()).toEqual([A])
    expect(await read(segments, A, 'v720/1.m4s')).toBe(`1 of ${A}`)
  })

  it('are left alone if another process has begun them', async () => {
    const segments = await openIt()
    await publish(segments, A)
    await segments.announceRemoval(A)
    await segments.setAside(A)
    await segments.clear(Date.now() - 60_000, NONE)
    const left = kind === 'a folder' ? await readdir(join(work, '.making')) : await s3.keys()
    expect(left.join()).toContain(A)
  })

  it('belong to the first database that names them, until another claims them', async () => {
    const { entries } = await openIt()
    expect(await entries.owner()).toBeUndefined()
    await Promise.all([entries.setOwner('one', true), entries.setOwner('two', true)])
    const owner = await entries.owner()
    expect(['one', 'two']).toContain(owner)
    await entries.setOwner('three', true)
    expect(await entries.owner()).toBe(owner)
    await entries.setOwner('three', false)
    expect(await entries.owner()).toBe('three')
  })

  it('go into quarantine and come back, or are deleted from it', async () => {
    const segments = await openIt()
    const { entries } = segments
    for (const id of [A, B, C]) await publish(segments, id)
    expect(await entries.isOlder(A, Date.now() + 60_000)).toBe(true)
    expect(await entries.isOlder(A, Date.now() - 60_000)).toBe(false)
    expect(await entries.isOlder('d'.repeat(32), Date.now() + 60_000)).toBe(false)
    for (const id of [A, B]) expect(await entries.quarantine(id)).toBe(true)
    expect([await entries.list(), await entries.quarantined()]).toEqual([[C], [A, B]])
    expect(await entries.restore(A)).toBe(true)
    await entries.deleteQuarantined(B)
    expect([(await entries.list()).toSorted(), await entries.quarantined()]).toEqual([[A, C], []])
    expect(await read(segments, A, 'v720/1.m4s')).toBe(`1 of ${A}`)
    expect(await read(segments, B, 'v720/1.m4s')).toBeUndefined()
  })

  it.each(['', '..', '../b', '.making', 'A'.repeat(32), `${A}/v720`])('refuse the id %j', async (id) => {
    const segments = await openIt()
    await publish(segments, A)
    const file = { trackSet: id, rendition: 'v720', name: '1.m4s' }
    for (const refused of [
      async () => {
        await segments.announceRemoval(id)
        await segments.setAside(id)
      },
      async () => await segments.discard(id),
      async () => await segments.write(file, Buffer.from('x')),
      async () => await segments.readText(file),
      async () => await segments.publish({ id, folder: work }, { signal }),
    ])
      await expect(refused()).rejects.toThrow('not the id of a TrackSet')
    expect(await segments.entries.list()).toEqual([A])
  })
})

describe('segments in a folder', () => {
  it('leave no part of a file that could not be written', async () => {
    const segments = await open()
    // The file cannot get its name, because a folder has the name.
    await mkdir(join(work, A, 'v720', '1.m4s'), { recursive: true })
    const file = { trackSet: A, rendition: 'v720', name: '1.m4s' }
    await expect(segments.write(file, Buffer.from('x'))).rejects.toThrow('EISDIR')
    expect(await readdir(join(work, A, 'v720'))).toEqual(['1.m4s'])
  })
})

describe('segments in an S3-compatible store', () => {
  it('have names below the prefix, and no mark once they are published', async () => {
    const segments = await open(environment())
    await publish(segments, A)
    expect(await s3.keys()).toEqual(
      [
        't-fra-1/1.vtt',
        'track-set.json',
        'v720/1.m4s',
        'v720/2.m4s',
        'v720/3.m4s',
        'v720/4.m4s',
        'v720/init.mp4',
      ].map((name) => `live/ondine/${A}/${name}`),
    )
  })

  it.each([
    ['PUT', `${A}/v720/3.m4s`, { status: 403, code: 'AccessDenied' }],
    ['PUT', `${A}/track-set.json`, { status: 403, code: 'QuotaExceeded' }],
    ['PUT', `.making/${A}`, { status: 403, code: 'AccessDenied' }],
  ] as const)(
    'are not listed when a %s of %s fails, and a retry completes them',
    async (method, name, fault) => {
      const segments = await open(environment())
      const folder = await finished(A)
      s3.fault = (request) => (request.method === method && request.key.endsWith(name) ? fault : undefined)
      await expect(segments.publish({ id: A, folder }, { signal })).rejects.toThrow(fault.code)
      expect(await segments.entries.list()).toEqual([])
      s3.fault = () => undefined
      expect(await s3.keys()).toEqual([])
      await segments.publish({ id: A, folder }, { signal })
      expect(await segments.entries.list()).toEqual([A])
      expect(await read(segments, A, 'v720/3.m4s')).toBe(`3 of ${A}`)
    },
  )

  it.each([
    [403, 'QuotaExceeded'],
    [400, 'XMinioAdminBucketQuotaExceeded'],
    [507, 'XMinioStorageFull'],
    [413, 'EntityTooLarge'],
    [507, 'AnUnknownCode'],
  ])('tell a full store (%i %s) from one that refuses files or is away', async (status, code) => {
    const segments = await open(environment())
    s3.fault = ({ method }) => (method === 'PUT' ? { status, code } : undefined)
    const folder = await finished(A)
    const full = { name: 'StoreError', kind: 'full' }
    await expect(segments.check()).rejects.toMatchObject(full)
    await expect(segments.publish({ id: A, folder }, { signal })).rejects.toMatchObject(full)
    expect(said.join()).toContain(`is full, or a quota is reached (${status} ${code})`)
    s3.fault = () => undefined
    await publish(segments, B)
    const reused = { trackSet: B, renditions: ['v720'] }
    s3.fault = ({ method, key }) =>
      method === 'PUT' && key.endsWith('/2.m4s') ? { status: 200, code } : undefined
    const copied = join(work, '.making', C, 'set')
    await mkdir(copied, { recursive: true })
    const copying = segments.publish({ id: C, folder: copied, reused }, { signal })
    // An answer of success has no status that tells a full store.
    await expect(copying).rejects.toMatchObject(code === 'AnUnknownCode' ? { kind: 'refused' } : full)
    expect(await segments.entries.list()).toEqual([B])
  })

  it('are published although the store fails for a while, and the log says so without credentials', async () => {
    const segments = await open(environment())
    let failures = 0
    s3.fault = () =>
      ++failures % 3 === 0 ? undefined : failures % 3 === 1 ? 'reset' : { status: 503, code: 'SlowDown' }
    let progress = 0
    await segments.publish(
      { id: A, folder: await finished(A) },
      { signal, onProgress: () => void progress++ },
    )
    s3.fault = () => undefined
    expect(await read(segments, A, 'v720/4.m4s')).toBe(`4 of ${A}`)
    expect(await s3.keys()).toHaveLength(7)
    expect(progress).toBeGreaterThan(7)
    expect(said.join()).toMatch(/cannot be reached[^]*answers again/)
    expect(said.join()).not.toContain('S3RVER')
  })

  it('are read and listed although an answer breaks off', async () => {
    const segments = await open(environment())
    await publish(segments, A)
    const failed = new Set<string>()
    s3.fault = ({ method, key }) => {
      if (method !== 'GET' || failed.has(key)) return undefined
      failed.add(key)
      return 'cut'
    }
    expect(await read(segments, A, 'v720/4.m4s')).toBe(`4 of ${A}`)
    expect(await segments.entries.list()).toEqual([A])
    expect(failed).toEqual(new Set([`live/ondine/${A}/v720/4.m4s`, '']))
  })

  it('cannot be read while each answer breaks off, and the error says so', async () => {
    await s3.client.put('segment', 'content', { patienceMs: 0 })
    const client = new S3Client(
      {
        endpoint: s3.settings.AWS_ENDPOINT_URL_S3 ?? '',
        bucket: 'ondine-media',
        region: s3.settings.AWS_REGION ?? '',
        accessKeyId: s3.settings.AWS_ACCESS_KEY_ID ?? '',
        secretAccessKey: s3.settings.AWS_SECRET_ACCESS_KEY ?? '',
      },
      pino({ level: 'silent' }),
      signal,
    )
    onTestFinished(async () => await client.close())
    s3.fault = () => 'cut'
    const unreachable = { name: 'StoreError', kind: 'unreachable' }
    await expect(client.read('segment', 0)).rejects.toMatchObject(unreachable)
    await expect(client.list('', { patienceMs: 0 }).next()).rejects.toMatchObject(unreachable)
  })

  it('are copied and removed although an answer of success has an error in its body', async () => {
    const segments = await open(environment())
    await publish(segments, A)
    const folder = join(work, '.making', B, 'set')
    await mkdir(join(folder, 't-eng-1'), { recursive: true })
    await writeFile(join(folder, 't-eng-1', '1.vtt'), 'WEBVTT')
    const failed = new Set<string>()
    s3.fault = ({ method, key }) => {
      const isFirst = method !== 'GET' && !failed.has(`${method} ${key}`)
      failed.add(`${method} ${key}`)
      return isFirst ? { status: 200, code: method === 'PUT' ? 'InternalError' : 'SlowDown' } : undefined
    }
    await segments.publish({ id: B, folder, reused: { trackSet: A, renditions: ['v720'] } }, { signal })
    expect(await read(segments, B, 'v720/3.m4s')).toBe(`3 of ${A}`)
    failed.delete('POST ')
    await removeTrackSet(segments, A)
    s3.fault = () => undefined
    expect((await s3.keys()).filter((key) => key.includes(A))).toEqual([])
  })

  it('need no network when they are set aside, because a transaction waits for that', async () => {
    const segments = await open(environment())
    await publish(segments, A)
    await segments.announceRemoval(A)
    s3.seen.length = 0
    await segments.setAside(A)
    expect(s3.seen).toEqual([])
  })

  it('are still there if their removal is taken back', async () => {
    const segments = await open(environment())
    await publish(segments, A)
    expect(await removeTrackSetIf(segments, A, async () => 'kept')).toBe(false)
    expect(await segments.entries.list()).toEqual([A])
    expect((await s3.keys()).filter((key) => key.includes('.making'))).toEqual([])
  })

  it('are deleted although a second process comes too late to remove them, and the first one is killed', async () => {
    const segments = await open(environment())
    await publish(segments, A)
    await segments.announceRemoval(A)
    await segments.setAside(A)
    // The killed process had deleted the row, so the second process finds it missing.
    expect(await removeTrackSetIf(segments, A, async () => 'missing')).toBe(false)
    expect(await segments.entries.list()).toEqual([])
    await segments.clear(Infinity, NONE)
    expect(await s3.keys()).toEqual([])
  })

  it('of a process that was killed are not listed, and are deleted by the next one', async () => {
    const ending = new AbortController()
    const segments = await open(environment(), ending.signal)
    let puts = 0
    // The store gets the mark and three files. After that, nothing reaches the store, not even the clean-up.
    s3.fault = ({ method }) => (method !== 'PUT' || ++puts > 4 ? 'reset' : undefined)
    const publishing = segments.publish({ id: A, folder: await finished(A) }, { signal })
    ending.abort()
    await expect(publishing).rejects.toThrow('cannot be reached')
    s3.fault = () => undefined
    expect((await s3.keys()).length).toBeGreaterThan(1)
    const next = await open(environment())
    expect(await next.entries.list()).toEqual([])
    await next.clear(Infinity, NONE)
    expect(await s3.keys()).toEqual([])
  })

  it('are never mixed up with objects of other names', async () => {
    const segments = await open(environment())
    await publish(segments, A)
    const foreign = [
      'holidays/mine.mp4',
      `${B}/v720/1.m4s`,
      `live/ondine/${'A'.repeat(32)}/1.m4s`,
      `live/ondine/${A}x/1.m4s`,
      `live/ondine/${A}`,
      `live/ondine/x${A}/1.m4s`,
      'live/ondine/.quarantine/mine.txt',
      `live/ondine/.making/${A}.txt`,
      'live/ondine/%2e%2e/mine.txt',
      'live/ondine/mine & <yours> "ours" + é!.txt',
    ]
    for (const key of foreign) await s3.client.put(key, 'mine', { patienceMs: 0 })
    for (const name of [' 1 & <2> + "3" é!.m4s', '%2e%2e%2fx', "it's (4)*.m4s"])
      await s3.client.put(`live/ondine/${A}/v720/${name}`, 'strange', { patienceMs: 0 })
    expect(await segments.entries.list()).toEqual([A])
    expect(await segments.entries.quarantined()).toEqual([])
    await segments.clear(Infinity, NONE)
    await removeTrackSet(segments, A)
    expect(await s3.keys()).toEqual(foreign.toSorted())
  })

  it.each([
    [{ AWS_SECRET_ACCESS_KEY: 'wrong-secret' }, 'SignatureDoesNotMatch): check AWS_SECRET_ACCESS_KEY'],
    [{ AWS_ACCESS_KEY_ID: 'wrong-name' }, 'InvalidAccessKeyId): check AWS_ACCESS_KEY_ID'],
    [{ AWS_REGION: 'us-east-1' }, 'AuthorizationHeaderMalformed): check AWS_REGION'],
    [{ MEDIA_STORE: 's3://another-bucket' }, 'NoSuchBucket): create the bucket'],
    [{ AWS_ENDPOINT_URL_S3: 'http://127.0.0.1:1' }, 'cannot be reached (ECONNREFUSED)'],
  ])('cannot be used with %j, and the message says why', async (wrong, words) => {
    const segments = await open({ ...environment(), ...wrong })
    const fault = await segments.check().catch((error: unknown) => error)
    expect(fault).toMatchObject({ name: 'StoreError', message: expect.stringContaining(words) })
    expect(String(fault)).not.toMatch(/S3RVER|wrong-secret|wrong-name/)
  })

  it('are checked for every right that Ondine needs', async () => {
    const segments = await open(environment())
    await segments.check()
    expect(await s3.keys()).toEqual([])
    for (const method of ['PUT', 'GET', 'POST']) {
      s3.fault = (request) => (request.method === method ? { status: 403, code: 'AccessDenied' } : undefined)
      await expect(segments.check()).rejects.toThrow(`refuses ${method} (403 AccessDenied)`)
    }
  })

  it('cannot be used when the address answers with something else', async () => {
    const segments = await open(environment())
    await publish(segments, A)
    s3.fault = () => ({ status: 200, code: 'Hello' })
    await expect(segments.entries.list()).rejects.toThrow('does not answer a listing as S3 does')
  })
})

describe('the settings of the store', () => {
  const complete = {
    MEDIA_STORE: 's3://media/tv',
    AWS_ACCESS_KEY_ID: 'name',
    AWS_SECRET_ACCESS_KEY: 'secret',
  }

  it.each([
    'media',
    's3://',
    's3://Media',
    's3://ab',
    's3://media//x',
    's3://media/../x',
    's3://media/x?y',
    's3://media/.x',
    's3://a:b@media',
    'https://media',
  ])('refuse the address %s', (MEDIA_STORE) => {
    expect(() => readSettings({ ...complete, MEDIA_STORE })).toThrow('MEDIA_STORE: must be an address')
  })

  it.each(['https://name:secret@store.example', 'https://store.example/?x', 'ftp://store.example', 'store'])(
    'refuse the endpoint %s',
    (AWS_ENDPOINT_URL_S3) => {
      expect(() => readSettings({ ...complete, AWS_ENDPOINT_URL_S3 })).toThrow('AWS_ENDPOINT_URL_S3')
    },
  )

  it('need credentials with an address, and need none without one', () => {
    const { MEDIA_STORE, ...others } = complete
    expect(() => readSettings({ MEDIA_STORE })).toThrow(
      /AWS_ACCESS_KEY_ID: is missing[^]*AWS_SECRET_ACCESS_KEY: is missing/,
    )
    expect(readSettings({ AWS_ACCESS_KEY_ID: 'name' }).MEDIA_STORE).toBeUndefined()
    expect(readSettings(others).AWS_REGION).toBe('us-east-1')
    expect(readSettings(complete).MEDIA_STORE).toBe('s3://media/tv')
  })
})
