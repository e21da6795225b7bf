import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Semaphore } from '../../../http/semaphore.ts'
import { type ImageStore, openImageStore } from '../../../ingest/images.ts'
import { encodePicture } from './encode-picture.ts'
import { PictureCache } from './picture-cache.ts'
import { Pictures } from './pictures.service.ts'

let folder: string
let store: ImageStore
let cacheFolder: string
let count = 0
let landscape: string
let transparent: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ondine-pictures-'))
  store = openImageStore(join(folder, 'images'))
  const path = join(folder, 'landscape.png')
  await sharp({ create: { width: 800, height: 450, channels: 3, background: '#204060' } }).toFile(path)
  landscape = (await store.store(path)).id
  const logo = join(folder, 'logo.png')
  const background = { r: 255, g: 0, b: 0, alpha: 0.5 }
  await sharp({ create: { width: 400, height: 300, channels: 4, background } }).toFile(logo)
  transparent = (await store.store(logo)).id
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))
beforeEach(() => {
  cacheFolder = join(folder, `cache-${++count}`)
})

/**
 * Creates a `Pictures` object that shares only the folder of the cache with the objects of earlier calls, as in
 * separate processes.
 */
function open({ encode = encodePicture, semaphore = new Semaphore(2) } = {}) {
  const cache = new PictureCache({ folder: cacheFolder, maxBytes: 10_000_000, now: () => Date.now() })
  return new Pictures({ store, cache, semaphore, encode, log: pino({ level: 'silent' }) })
}

describe('a picture', () => {
  it.each([
    ['avif', 'heif', 'image/avif'],
    ['webp', 'webp', 'image/webp'],
    ['jpeg', 'jpeg', 'image/jpeg'],
  ] as const)('is encoded as %s at its height', async (format, kind, contentType) => {
    const picture = await open().get(landscape, { height: 240 }, format)
    expect(picture?.contentType).toBe(contentType)
    expect(await sharp(picture?.body).metadata()).toMatchObject({ format: kind, width: 427, height: 240 })
  })

  it('is never enlarged', async () => {
    const picture = await open().get(landscape, { height: 1080 }, 'webp')
    expect(await sharp(picture?.body).metadata()).toMatchObject({ width: 800, height: 450 })
  })

  it('fills the requested box', async () => {
    const picture = await open().get(landscape, { height: 150, width: 150 }, 'webp')
    expect(await sharp(picture?.body).metadata()).toMatchObject({ width: 150, height: 150 })
  })

  it('stays transparent, as PNG where JPEG was requested', async () => {
    const picture = await open().get(transparent, { height: 240 }, 'jpeg')
    expect(picture?.contentType).toBe('image/png')
    expect(await sharp(picture?.body).metadata()).toMatchObject({ format: 'png', hasAlpha: true })
    const modern = await open().get(transparent, { height: 240 }, 'avif')
    expect(await sharp(modern?.body).metadata()).toMatchObject({ hasAlpha: true })
  })

  it('has a different validator for each size and format', async () => {
    const pictures = open()
    const sent = [
      await pictures.get(landscape, { height: 240 }, 'webp'),
      await pictures.get(landscape, { height: 360 }, 'webp'),
      await pictures.get(landscape, { height: 240 }, 'jpeg'),
      await pictures.get(landscape, { height: 240, width: 240 }, 'jpeg'),
    ]
    expect(new Set(sent.map((picture) => picture?.etag)).size).toBe(4)
    for (const picture of sent) expect(picture?.etag).toMatch(/^"[\w.-]+"$/)
  })

  it('is not found if it is not in the store', async () => {
    expect(await open().get('0'.repeat(32), { height: 240 }, 'webp')).toBeUndefined()
  })
})

describe('making', () => {
  it('is encoded once for all concurrent requests, and not again', async () => {
    const encode = vi.fn(encodePicture)
    const pictures = open({ encode })
    const sent = await Promise.all(
      Array.from({ length: 50 }, async () => await pictures.get(landscape, { height: 240 }, 'webp')),
    )
    expect(new Set(sent.map((picture) => picture?.body)).size).toBe(1)
    await pictures.get(landscape, { height: 240 }, 'webp')
    expect(encode).toHaveBeenCalledTimes(1)
    const restarted = vi.fn(encodePicture)
    await open({ encode: restarted }).get(landscape, { height: 240 }, 'webp')
    expect(restarted).not.toHaveBeenCalled()
  })

  it('is encoded once for all processes that share the folder', async () => {
    const encode = vi.fn(encodePicture)
    const processes = [open({ encode }), open({ encode }), open({ encode })]
    const sent = await Promise.all(
      processes.map(async (each) => await each.get(landscape, { height: 360 }, 'webp')),
    )
    expect(encode).toHaveBeenCalledTimes(1)
    expect(new Set(sent.map((picture) => picture?.body.toString('base64'))).size).toBe(1)
  })

  it('is not encoded again if another process finishes between a check and its claim', async () => {
    const encode = vi.fn(encodePicture)
    const semaphore = new Semaphore(1)
    const held = Promise.withResolvers<void>()
    const busy = semaphore.run(async () => await held.promise)
    // This request has checked the cache, and waits for its turn to encode.
    const late = open({ encode, semaphore }).get(landscape, { height: 300 }, 'webp')
    const sent = await open({ encode }).get(landscape, { height: 300 }, 'webp')
    held.resolve()
    await busy
    expect((await late)?.body.equals(sent?.body ?? Buffer.alloc(0))).toBe(true)
    expect(encode).toHaveBeenCalledTimes(1)
  })

  it('is encoded again by the next request after a failure', async () => {
    const encode = vi.fn(encodePicture).mockRejectedValueOnce(new Error('out of memory'))
    const pictures = open({ encode })
    await expect(pictures.get(landscape, { height: 240 }, 'webp')).rejects.toThrow('out of memory')
    expect(await pictures.get(landscape, { height: 240 }, 'webp')).toBeDefined()
  })

  it('is encoded although the cache cannot be written', async () => {
    await mkdir(cacheFolder, { recursive: true })
    await writeFile(join(cacheFolder, landscape.slice(0, 2)), 'in the way')
    const picture = await open().get(landscape, { height: 240 }, 'webp')
    expect(await sharp(picture?.body).metadata()).toMatchObject({ height: 240 })
  })

  it('limits how many are encoded concurrently', async () => {
    let running = 0
    let most = 0
    const encode: typeof encodePicture = async (...wanted) => {
      most = Math.max(most, ++running)
      try {
        return await encodePicture(...wanted)
      } finally {
        running--
      }
    }
    const pictures = open({ encode, semaphore: new Semaphore(2) })
    const heights = Array.from({ length: 12 }, (_, index) => 100 + index)
    await Promise.all(heights.map(async (height) => await pictures.get(landscape, { height }, 'webp')))
    expect(most).toBe(2)
  })

  it('is refused temporarily when too many wait', async () => {
    let finish = () => {}
    const held = new Promise<void>((resolve) => {
      finish = resolve
    })
    const semaphore = new Semaphore(1)
    const waiting = Array.from({ length: 501 }, async () => await semaphore.run(async () => await held))
    await expect(semaphore.run(async () => await held)).rejects.toMatchObject({
      error: 'temporarilyUnavailable',
      details: { retryAfterSeconds: 2 },
    })
    finish()
    await Promise.all(waiting)
    expect(await semaphore.run(async () => await Promise.resolve('again'))).toBe('again')
  })

  it('leaves the event loop free during encoding', async () => {
    const path = join(folder, 'large.jpg')
    await sharp({
      create: {
        width: 3000,
        height: 2000,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    }).toFile(path)
    const { id } = await store.store(path)
    let turns = 0
    let going = true
    const turn = () => {
      turns++
      if (going) setImmediate(turn)
    }
    turn()
    await open().get(id, { height: 1080 }, 'jpeg')
    going = false
    // An encoding on the event loop would prevent all other turns of the loop meanwhile.
    expect(turns).toBeGreaterThan(50)
  })
})
