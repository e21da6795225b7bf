import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Semaphore } from '../../../http/semaphore.ts'
import type { ImageStore } from '../../../ingest/images.ts'
import {
  contentTypeOf,
  encodePicture,
  encoderEdition,
  type PictureBox,
  type PictureFormat,
} from './encode-picture.ts'
import type { PictureCache } from './picture-cache.ts'

/** A picture to send. */
export interface SentPicture {
  body: Buffer
  contentType: string
  /** Strong validator: different bytes have different validators. */
  etag: string
}

export interface PicturesOptions {
  store: ImageStore
  cache: PictureCache
  /** Limits concurrent encoding to {@link PICTURES_AT_ONCE}. */
  semaphore: Semaphore
  log: Pick<FastifyBaseLogger, 'warn'>
  encode?: typeof encodePicture
}

/** Maximum bytes of pictures that are also kept in memory: enough for a few home pages. */
const MEMORY_BYTES = 8_000_000
/**
 * While another process encodes a picture, this process checks for it at this interval, in milliseconds, and at
 * most {@link LOOK_TRIES} times.
 */
const LOOK_MS = 40
const LOOK_TRIES = 250

/** Number of concurrent encodings: half of the processors, at least one. */
export const PICTURES_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2))

/** Pictures in the requested sizes and formats. Each picture is encoded once, even for concurrent requests. */
export class Pictures {
  readonly #options: PicturesOptions
  readonly #encode: typeof encodePicture
  readonly #memory = new Map<string, SentPicture>()
  readonly #underWay = new Map<string, Promise<SentPicture | undefined>>()
  #memoryBytes = 0

  constructor(options: PicturesOptions) {
    this.#options = options
    this.#encode = options.encode ?? encodePicture
  }

  /**
   * Returns the picture `id` of the image store in a box and a format.
   *
   * @returns undefined if there is no such picture
   * @throws {ServiceError} `temporarilyUnavailable` when too many pictures wait to be encoded
   */
  async get(id: string, box: PictureBox, format: PictureFormat): Promise<SentPicture | undefined> {
    const name = `${id}-${box.width ?? ''}x${box.height}-${await encoderEdition()}.${format}`
    const known = this.#memory.get(name)
    if (known) {
      // Move the picture to the end, as the most recently used one.
      this.#memory.delete(name)
      this.#memory.set(name, known)
      return known
    }
    let finding = this.#underWay.get(name)
    if (finding === undefined) {
      finding = this.#find(name, id, box, format).finally(() => this.#underWay.delete(name))
      this.#underWay.set(name, finding)
    }
    return await finding
  }

  async #find(
    name: string,
    id: string,
    box: PictureBox,
    format: PictureFormat,
  ): Promise<SentPicture | undefined> {
    const { store, cache } = this.#options
    const body = (await cache.read(name)) ?? (await this.#make(name, await store.original(id), box, format))
    if (body === undefined) return undefined
    const picture = { body, contentType: contentTypeOf(format, body), etag: `"${name}"` }
    this.#remember(name, picture)
    return picture
  }

  async #make(
    name: string,
    original: string | undefined,
    box: PictureBox,
    format: PictureFormat,
  ): Promise<Buffer | undefined> {
    const { cache, semaphore, log } = this.#options
    if (original === undefined) return undefined
    // If the cache cannot be written, such as on a full disk, pictures become slow but still work.
    const unwritten = (error: unknown) => log.warn({ err: error }, 'the picture cache cannot be written')
    const encode = async () => {
      const body = await this.#encode(original, box, format)
      await cache.write(name, body).catch(unwritten)
      return body
    }
    const made = await semaphore.run(async () => {
      const release = await cache.claim(name).catch(unwritten)
      if (release === 'taken') return undefined
      try {
        // Another process may have written the file and ended its claim since the last check.
        return (await cache.read(name)) ?? (await encode())
      } finally {
        await release?.()
      }
    })
    return made ?? (await this.#madeElsewhere(name)) ?? (await semaphore.run(encode))
  }

  /** Waits for a picture that another process encodes. */
  async #madeElsewhere(name: string): Promise<Buffer | undefined> {
    for (let tries = 0; tries < LOOK_TRIES; tries++) {
      const made = await this.#options.cache.read(name)
      if (made) return made
      await pause(LOOK_MS)
    }
    return undefined
  }

  #remember(name: string, picture: SentPicture): void {
    this.#memory.set(name, picture)
    this.#memoryBytes += picture.body.length
    for (const [oldest, { body }] of this.#memory) {
      if (this.#memoryBytes <= MEMORY_BYTES) break
      this.#memory.delete(oldest)
      this.#memoryBytes -= body.length
    }
  }
}
