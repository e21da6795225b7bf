import { hash } from 'node:crypto'
import type { PagePiece } from './page-context.ts'
import { dataBytes } from './write-page-data.ts'

/** A part of a page as it is drawn for everyone who is shown the same. */
export interface DrawnPart {
  /** Names it in the page. */
  name: string
  /** What stands for its content until the page is put together; undefined where the part is still to be drawn. */
  mark: string | undefined
}

/** What every part of a page goes by, beside its own data. */
export interface Common {
  page: string
  /** The query of the page's address; a part goes by it where it leads to an address with one. */
  search: string
}

/** Most bytes of parts that are kept: those of a home page have some 30,000. */
const MOST_BYTES = 8_000_000

/** A part that is kept: what it is named in pages, and what stands in it. */
interface KeptPart {
  name: string
  content: Buffer
}

/** Parts by what they were made from; those asked for longest ago come first. */
const KEPT = new Map<string, KeptPart>()
let keptBytes = 0

/**
 * What of one page React need not write: parts that were drawn for somebody else who was shown the same, and texts that many
 * pages share. A mark stands for each until the page is put together (docs/decisions/0029).
 */
export class PageParts {
  readonly #secret: string
  readonly #common: () => Common
  /** What parts are made from that nobody has drawn, with their names. */
  readonly #missing = new Map<string, string>()
  readonly #inserted: (() => Buffer[])[] = []
  #known: Common | undefined

  /**
   * @param secret the nonce of the page, which no text of it can say
   * @param common asked for when everything is loaded
   */
  constructor(secret: string, common: () => Common) {
    this.#secret = secret
    this.#common = common
  }

  /** The part made from `data`, all that it shows beside what is common to the page. */
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
    KEPT.delete(madeFrom)
    KEPT.set(madeFrom, kept)
    return { name: kept.name, mark: this.insert(() => [kept.content]) }
  }

  /** What stands for a content until the page is put together, which is when it is asked for. */
  insert(content: () => Buffer[]): string {
    return `<!--${this.#secret} ${this.#inserted.push(content)}-->`
  }

  /** The whole page in pieces, from what was drawn of it. Parts that had to be drawn are kept for others. */
  complete(drawn: Buffer): PagePiece[] {
    const pieces: PagePiece[] = []
    const own = (bytes: Buffer) => pieces.push({ bytes, shared: false })
    const opening = `<!--${this.#secret} `
    let end = 0
    for (let at = drawn.indexOf(opening); at >= 0; at = drawn.indexOf(opening, end)) {
      own(drawn.subarray(end, at))
      end = drawn.indexOf('-->', at) + 3
      const content = this.#inserted[Number(drawn.toString('latin1', at + opening.length, end - 3)) - 1]
      for (const bytes of content?.() ?? []) pieces.push({ bytes, shared: true })
    }
    own(drawn.subarray(end))
    if (this.#missing.size > 0) this.#keep(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString())
    return pieces
  }

  #keep(page: string): void {
    for (const [madeFrom, name] of this.#missing) {
      const html = contentOf(page, name)
      if (html === undefined || !isAlikeForAll(html) || html.includes(this.#secret)) continue
      const part = { name, content: inOwnMemory(html) }
      const before = KEPT.get(madeFrom)
      keptBytes += bytesOf(madeFrom, part) - (before === undefined ? 0 : bytesOf(madeFrom, before))
      KEPT.set(madeFrom, part)
    }
    for (const [madeFrom, part] of KEPT) {
      if (keptBytes <= MOST_BYTES) break
      KEPT.delete(madeFrom)
      keptBytes -= bytesOf(madeFrom, part)
    }
  }
}

/**
 * A text as bytes in memory of their own. `Buffer.from` puts small ones into slabs of 64 kB (`Buffer.poolSize`), and a slab
 * stays as long as anything in it is kept.
 */
function inOwnMemory(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** An address may be longer than what is drawn for it. */
function bytesOf(madeFrom: string, { content }: KeptPart): number {
  return madeFrom.length + content.length
}

/** What stands for a value, and whether it leads to an address with a query: such a link knows whether it leads here. */
interface Digest {
  text: string
  asks: boolean
}

const DIGESTS = new WeakMap<object, Digest>()

/** An address with a query, as it stands in JSON. */
const ASKING = /"(?:\/|https?:)[^"\s]*\?/

/** That of an object that many pages share is computed once. */
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

const TEXTS = new Map<string, { length: number; bytes: Buffer[] }>()

/**
 * A text as bytes: made once for those that many pages share, such as their styles.
 *
 * @param name tells it from other texts of its length: to compare the texts themselves would take longer than all else here
 */
export function sharedText(name: string, text: string): () => Buffer[] {
  const known = TEXTS.get(name)
  if (known?.length === text.length) return () => known.bytes
  const made = { length: text.length, bytes: [Buffer.from(text)] }
  TEXTS.set(name, made)
  return () => made.bytes
}

/** What stands inside the element that bears a part's name. */
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

/**
 * Whether a part may stand in other pages: nothing in it was left to the browser, waits for something, or bears a number
 * that React counts by the place in the page.
 */
function isAlikeForAll(html: string): boolean {
  return !/<!--\$[!?]|<template|_[Rr]_\w*_/.test(html)
}
