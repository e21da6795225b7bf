import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isErrno } from '../../../is-errno.ts'
import { joinInside } from '../../../paths.ts'

export interface PictureCacheOptions {
  folder: string
  /** Maximum total size of the files, in bytes. */
  maxBytes: number
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/**
 * Minimum interval between recorded uses of a file, in milliseconds. It saves writes: files are removed in the order of
 * their last use, and this order need not be exact.
 */
const TOUCH_MS = 60_000
/** A sweep frees space down to this fraction of the limit, so that the next sweep is not due at once. */
const SWEEP_TO = 0.9
/** The folder is measured again after this many written files, because other processes may write to it too. */
const MEASURE_AFTER = 200
/** A claim older than this, in milliseconds, was left by a process that died. */
const CLAIM_MS = 30_000
const CLAIM = '.claim'

/**
 * Cache of files that can be encoded again, in one folder of limited size. The least recently used files are
 * removed first. Several processes can share the folder, because the folder holds all state. The modification time
 * of a file is the time of its last use.
 */
export class PictureCache {
  readonly #options: PictureCacheOptions
  /** When each file's use was last recorded. */
  readonly #touched = new Map<string, number>()
  /** Known size of the folder in bytes; undefined until it was measured. */
  #bytes: number | undefined
  #written = 0
  #sweeping: Promise<void> | undefined

  constructor(options: PictureCacheOptions) {
    this.#options = options
  }

  /** Returns the file called `name`, and records its use. */
  async read(name: string): Promise<Buffer | undefined> {
    const path = this.#path(name)
    const body = await unlessMissing(readFile(path))
    if (body !== undefined) await this.#touch(name, path)
    return body
  }

  /** Stores a file, and frees space for it if necessary. */
  async write(name: string, body: Buffer): Promise<void> {
    const path = this.#path(name)
    await mkdir(dirname(path), { recursive: true })
    const aside = `${path}.${randomUUID()}`
    try {
      const file = await open(aside, 'wx', 0o640)
      try {
        await file.writeFile(body)
      } finally {
        await file.close()
      }
      await this.#stamp(aside)
      await rename(aside, path)
    } catch (error) {
      await rm(aside, { force: true })
      throw error
    }
    this.#touched.set(name, this.#options.now())
    if (this.#bytes !== undefined) this.#bytes += body.length
    if (this.#bytes === undefined || this.#bytes > this.#options.maxBytes || ++this.#written >= MEASURE_AFTER)
      await this.sweep()
  }

  /**
   * Tells all processes that this process is making the file `name`.
   *
   * @returns a function that ends the claim, or `taken` if another process has claimed the name
   */
  async claim(name: string): Promise<(() => Promise<void>) | 'taken'> {
    const path = `${this.#path(name)}${CLAIM}`
    await mkdir(dirname(path), { recursive: true })
    try {
      await (await open(path, 'wx')).close()
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
      const claimed = await unlessMissing(stat(path))
      // The file system has stamped the claim with the system's time, so the age is computed with `Date.now`, not with
      // `options.now`.
      if (claimed === undefined || Date.now() - claimed.mtimeMs < CLAIM_MS) return 'taken'
    }
    return async () => await rm(path, { force: true })
  }

  /** Measures the folder, and removes the least recently used files until it is within its limit. */
  async sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined
    })
    await this.#sweeping
  }

  async #sweep(): Promise<void> {
    const { maxBytes, now } = this.#options
    this.#written = 0
    const files = await this.#list()
    let bytes = files.reduce((sum, { size }) => sum + size, 0)
    if (bytes > maxBytes) {
      const lastUse = ({ name, usedAt }: CachedFile) => Math.max(usedAt, this.#touched.get(name) ?? 0)
      for (const file of files.toSorted((one, other) => lastUse(one) - lastUse(other))) {
        if (bytes <= maxBytes * SWEEP_TO) break
        await rm(file.path, { force: true })
        this.#touched.delete(file.name)
        bytes -= file.size
      }
    }
    for (const [name, at] of this.#touched) if (now() - at > TOUCH_MS) this.#touched.delete(name)
    this.#bytes = bytes
  }

  async #touch(name: string, path: string): Promise<void> {
    const now = this.#options.now()
    if (now - (this.#touched.get(name) ?? 0) < TOUCH_MS) return
    this.#touched.set(name, now)
    await unlessMissing(this.#stamp(path))
  }

  async #stamp(path: string): Promise<void> {
    const seconds = this.#options.now() / 1000
    await utimes(path, seconds, seconds)
  }

  async #list(): Promise<CachedFile[]> {
    const { folder } = this.#options
    const found: CachedFile[] = []
    for (const part of (await unlessMissing(readdir(folder))) ?? []) {
      for (const name of (await unlessMissing(readdir(join(folder, part)))) ?? []) {
        // Files of other programs are neither counted nor removed, even inside the folder of the cache.
        if (name.slice(0, 2) !== part || name.endsWith(CLAIM)) continue
        const path = join(folder, part, name)
        const file = await unlessMissing(stat(path))
        if (file) found.push({ name, path, size: file.size, usedAt: file.mtimeMs })
      }
    }
    return found
  }

  /** Returns the path of a file. Files are spread over folders by the first two letters of their names. */
  #path(name: string): string {
    return joinInside(this.#options.folder, name.slice(0, 2), name)
  }
}

interface CachedFile {
  name: string
  path: string
  size: number
  usedAt: number
}

/** Returns undefined if the file is missing, or is removed meanwhile. */
async function unlessMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
