import { hash, randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { dataBytes } from './write-page-data.ts'

/** A part of a page that is identical for all viewers with the same data. */
export interface DrawnPart {
  /** The part's name in the page. */
  name: string
  /**
   * Marker that replaces the content until the page is assembled; undefined if React must still render the part.
   */
  mark: string | undefined
}

/** The values on which every part of a page depends, besides its own data. */
export interface Common {
  page: string
  /**
   * The query string of the page's address. A part depends on the query string if the part contains a link to an
   * address with a query string.
   */
  search: string
}

/** Maximum total size of the cached parts, in bytes. A home page has parts of about 30,000 bytes. */
const MOST_BYTES = 8_000_000

/** A cached part: its name in pages, and its content. */
interface KeptPart {
  name: string
  content: Buffer
}

/** Prefix of the markers of this process. It is random, so that no text of a page can contain it. */
const SECRET = randomUUID()

/**
 * Cached parts by their data. The size of an entry includes the key, because an address in the key may be longer
 * than the part's content.
 */
const KEPT = new LRUCache<string, KeptPart>({
  maxSize: MOST_BYTES,
  sizeCalculation: ({ content }, madeFrom) => madeFrom.length + content.length,
})

/**
 * Spares React the rendering of two kinds of content: parts that were rendered before from the same data, and the
 * page's own query data. A marker replaces such content until the page is assembled (docs/decisions/0029).
 */
export class PageParts {
  readonly #common: () => Common
  /** Names of the parts that are not cached, by their data. */
  readonly #missing = new Map<string, string>()
  readonly #inserted: (() => Buffer[])[] = []
  #known: Common | undefined

  /** @param common returns the common values; called when everything is loaded */
  constructor(common: () => Common) {
    this.#common = common
  }

  /** Returns the part for `data`. `data` is everything that the part shows besides the common values. */
  drawn(data: readonly unknown[]): DrawnPart {
    this.#known ??= this.#common()
    const { page, search } = this.#known
    const digests = data.map(digest)
    const here = digests.some(({ asks }) => asks) ? page + search : page
    const madeFrom = [here, ...digests.map(({ text }) => text)].join(' ')
    const kept = KEPT.get(madeFrom)
    if (kept === undefined) {
      const name = hash('sha256', madeFrom, 'base64url')
      this.#missing.set(madeFrom, name)
      return { name, mark: undefined }
    }
    return { name: kept.name, mark: this.insert(() => [kept.content]) }
  }

  /** Returns a marker for a place in the page. {@link complete} replaces it with the result of `content`. */
  insert(content: () => Buffer[]): string {
    return `<!--${SECRET} ${this.#inserted.push(content)}-->`
  }

  /**
   * Replaces the markers in the rendered page by their content, and caches the newly rendered parts.
   * @param isWhole whether the server rendered every part completely. Otherwise no part is cached, because any
   * part may be incomplete until the browser renders the rest
   */
  complete(drawn: Buffer, isWhole: boolean): Buffer<ArrayBuffer> {
    const pieces: Buffer[] = []
    const opening = `<!--${SECRET} `
    let end = 0
    for (let at = drawn.indexOf(opening); at >= 0; at = drawn.indexOf(opening, end)) {
      pieces.push(drawn.subarray(end, at))
      end = drawn.indexOf('-->', at) + 3
      const content = this.#inserted[Number(drawn.toString('latin1', at + opening.length, end - 3)) - 1]
      pieces.push(...(content?.() ?? []))
    }
    pieces.push(drawn.subarray(end))
    const page = Buffer.concat(pieces)
    if (isWhole && this.#missing.size > 0) this.#keep(page.toString())
    return page
  }

  #keep(page: string): void {
    for (const [madeFrom, name] of this.#missing) {
      const html = contentOf(page, name)
      if (html !== undefined) KEPT.set(madeFrom, { name, content: inOwnMemory(html) })
    }
  }
}

/**
 * Copies a text into a separate buffer. `Buffer.from` puts small texts into slabs of 64 kB (`Buffer.poolSize`).
 * One small buffer in the cache would keep its whole slab in memory.
 */
function inOwnMemory(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/**
 * The cache key of a value, and whether the value contains an address with a query string. On the page at such an
 * address, the part marks its link as the current page, so the part is cached separately for that page.
 */
interface Digest {
  text: string
  asks: boolean
}

const DIGESTS = new WeakMap<object, Digest>()

/** Matches an address with a query string, in JSON. */
const ASKING = /"(?:\/|https?:)[^"\s]*\?/

/** Returns the digest of a value. The digest of an object that many pages share is computed once. */
function digest(value: unknown): Digest {
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value) ?? ''
    return { text, asks: ASKING.test(text) }
  }
  const known = DIGESTS.get(value)
  if (known !== undefined) return known
  const bytes = dataBytes(value)
  const made = { text: hash('sha256', bytes, 'base64url'), asks: ASKING.test(bytes.toString()) }
  DIGESTS.set(value, made)
  return made
}

/** Returns the content of the `div` that has a part's name. */
function contentOf(page: string, name: string): string | undefined {
  const named = page.indexOf(`data-part="${name}"`)
  if (named < 0) return undefined
  const start = page.indexOf('>', named) + 1
  const tags = /<(\/?)div\b/g
  tags.lastIndex = start
  let depth = 1
  for (let tag = tags.exec(page); tag !== null; tag = tags.exec(page)) {
    depth += tag[1] === '/' ? -1 : 1
    if (depth === 0) return page.slice(start, tag.index)
  }
  return undefined
}
