import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Turns } from '../../http/turns.ts'
import type { ImageStore } from '../../ingest/images.ts'
import {
  type Box,
  contentTypeOf,
  encodePicture,
  encoderEdition,
  type PictureFormat,
} from './encode-picture.ts'
import type { PictureCache } from './picture-cache.ts'

/** A picture as it is sent. */
export interface SentPicture {
  body: Buffer
  contentType: string
  /** A strong validator: other bytes have another one. */
  etag: string
}

export interface PicturesOptions {
  store: ImageStore
  cache: PictureCache
  /** Of {@link PICTURES_AT_ONCE}. */
  turns: Turns
  log: Pick<FastifyBaseLogger, 'warn'>
  encode?: typeof encodePicture
}

/** Bytes of pictures that are kept in memory besides: those of a few home pages. */
const MEMORY_BYTES = 8_000_000
/** How often to look whether another process has finished a picture, and for how long, in milliseconds. */
const LOOK_MS = 40
const LOOK_TRIES = 250

/** Pictures that are encoded at once: for half of the processors, and never all. */
export const PICTURES_AT_ONCE = Math.max(1, Math.floor(availableParallelism() / 2))

/** Pictures at the sizes and in the formats that are asked for. Each is made once, whoever asks meanwhile. */
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
   * The picture `id` of the image store in a box and a format.
   *
   * @returns undefined when there is no such picture
   * @throws {ServiceError} `temporarilyUnavailable` when too many pictures wait to be made
   */
  async get(id: string, box: Box, format: PictureFormat): Promise<SentPicture | undefined> {
    const name = `${id}-${box.width ?? ''}x${box.height}-${await encoderEdition()}.${format}`
    const known = this.#memory.get(name)
    if (known) {
      // The last one used stands last.
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

  async #find(name: string, id: string, box: Box, format: PictureFormat): Promise<SentPicture | undefined> {
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
    box: Box,
    format: PictureFormat,
  ): Promise<Buffer | undefined> {
    const { cache, turns, log } = this.#options
    if (original === undefined) return undefined
    // A cache that cannot be written, such as on a full disk, makes pictures slow, not missing.
    const unwritten = (error: unknown) => log.warn({ err: error }, 'the cache of pictures cannot be written')
    const encode = async () => {
      const body = await this.#encode(original, box, format)
      await cache.write(name, body).catch(unwritten)
      return body
    }
    const made = await turns.run(async () => {
      const release = await cache.claim(name).catch(unwritten)
      if (release === 'taken') return undefined
      try {
        // Another process may have made it, and given up its claim, since this one looked.
        return (await cache.read(name)) ?? (await encode())
      } finally {
        await release?.()
      }
    })
    return made ?? (await this.#madeElsewhere(name)) ?? (await turns.run(encode))
  }

  /** What another process makes, as soon as it is there. */
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
