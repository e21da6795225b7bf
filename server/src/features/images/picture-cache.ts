import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isErrno } from '../../is-errno.ts'
import { joinInside } from '../../paths.ts'

export interface PictureCacheOptions {
  folder: string
  /** Most bytes that the files may take up together. */
  maxBytes: number
  /** Milliseconds since the Unix epoch. */
  now(): number
}

/** A use is written down at most this often for each file, in milliseconds: order matters in the long run only. */
const TOUCH_MS = 60_000
/** A sweep makes room down to this share of the bound, so that the next one is not due at once. */
const SWEEP_TO = 0.9
/** The folder is measured anew after so many files, because others may write to it too. */
const MEASURE_AFTER = 200
/** A claim that is older than this, in milliseconds, was left behind by a process that died. */
const CLAIM_MS = 30_000
const CLAIM = '.claim'

/**
 * Files that can be made again at any time, in one folder that may take up so much and no more: what was not used for
 * longest goes first. Several processes can share the folder; what is known of it stands in the folder itself, a file's
 * last use in its time of modification.
 */
export class PictureCache {
  readonly #options: PictureCacheOptions
  /** When a file's use was last written down. */
  readonly #touched = new Map<string, number>()
  /** Bytes in the folder as far as is known; undefined until it was measured. */
  #bytes: number | undefined
  #written = 0
  #sweeping: Promise<void> | undefined

  constructor(options: PictureCacheOptions) {
    this.#options = options
  }

  /** The file called `name`, which counts as used now. */
  async read(name: string): Promise<Buffer | undefined> {
    const path = this.#path(name)
    const body = await unlessMissing(readFile(path))
    if (body !== undefined) await this.#touch(name, path)
    return body
  }

  /** Keeps a file, and makes room for it if need be. */
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
   * Says to all processes that `name` is being made here.
   *
   * @returns how to end that, or `taken` when another one is making it
   */
  async claim(name: string): Promise<(() => Promise<void>) | 'taken'> {
    const path = `${this.#path(name)}${CLAIM}`
    await mkdir(dirname(path), { recursive: true })
    try {
      await (await open(path, 'wx')).close()
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error
      const claimed = await unlessMissing(stat(path))
      // The time of the file system's own clock, which the claim was stamped with.
      if (claimed === undefined || Date.now() - claimed.mtimeMs < CLAIM_MS) return 'taken'
    }
    return async () => await rm(path, { force: true })
  }

  /** Measures the folder, and removes what was not used for longest until it is within its bound. */
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
        // Another program's file is not counted and not removed, wherever it lies.
        if (name.slice(0, 2) !== part || name.endsWith(CLAIM)) continue
        const path = join(folder, part, name)
        const file = await unlessMissing(stat(path))
        if (file) found.push({ name, path, size: file.size, usedAt: file.mtimeMs })
      }
    }
    return found
  }

  /** Files are spread over folders by the first two letters of their names. */
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

/** What is not there, or is gone meanwhile, is undefined. */
async function unlessMissing<Result>(reading: Promise<Result>): Promise<Result | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}
