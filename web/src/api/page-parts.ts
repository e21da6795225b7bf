import { hash } from 'node:crypto'
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
const MOST_BYTES = 16_000_000

/** Parts by what they were made from; those asked for longest ago come first. */
const KEPT = new Map<string, Buffer>()
let keptBytes = 0

/**
 * What of one page React need not write: parts that were drawn for somebody else who was shown the same, and texts that many
 * pages share. A mark stands for each until the page is put together (docs/decisions/0029).
 */
export class PageParts {
  readonly #secret: string
  readonly #common: () => Common
  readonly #missing = new Set<string>()
  readonly #inserted: (() => Buffer)[] = []
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
    const name = hash('sha256', [here, ...digests.map(({ text }) => text)].join(' '), 'base64url')
    const content = KEPT.get(name)
    if (content === undefined) {
      this.#missing.add(name)
      return { name, mark: undefined }
    }
    KEPT.delete(name)
    KEPT.set(name, content)
    return { name, mark: this.insert(() => content) }
  }

  /** What stands for a content until the page is put together, which is when it is asked for. */
  insert(content: () => Buffer): string {
    return `<!--${this.#secret} ${this.#inserted.push(content)}-->`
  }

  /** The whole page from what was drawn of it. Parts that had to be drawn are kept for others. */
  complete(drawn: Buffer): Buffer {
    const pieces: Buffer[] = []
    const opening = `<!--${this.#secret} `
    let end = 0
    for (let at = drawn.indexOf(opening); at >= 0; at = drawn.indexOf(opening, end)) {
      pieces.push(drawn.subarray(end, at))
      end = drawn.indexOf('-->', at) + 3
      const content = this.#inserted[Number(drawn.toString('latin1', at + opening.length, end - 3)) - 1]
      if (content !== undefined) pieces.push(content())
    }
    pieces.push(drawn.subarray(end))
    const page = Buffer.concat(pieces)
    if (this.#missing.size > 0) this.#keep(page.toString())
    return page
  }

  #keep(page: string): void {
    for (const name of this.#missing) {
      const html = contentOf(page, name)
      if (html === undefined || !isAlikeForAll(html) || html.includes(this.#secret)) continue
      const content = Buffer.from(html)
      keptBytes += content.length - (KEPT.get(name)?.length ?? 0)
      KEPT.set(name, content)
    }
    for (const [name, content] of KEPT) {
      if (keptBytes <= MOST_BYTES) break
      KEPT.delete(name)
      keptBytes -= content.length
    }
  }
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
  if (typeof value !== 'object' || value === null) return { text: JSON.stringify(value) ?? '', asks: false }
  const known = DIGESTS.get(value)
  if (known !== undefined) return known
  const bytes = dataBytes(value)
  const made = { text: hash('sha256', bytes, 'base64url'), asks: ASKING.test(bytes.toString()) }
  DIGESTS.set(value, made)
  return made
}

const TEXTS = new Map<string, Buffer>()

/** A text as bytes: made once for those that many pages share, such as their styles. */
export function sharedText(text: string): () => Buffer {
  const known = TEXTS.get(text) ?? Buffer.from(text)
  if (!TEXTS.has(text)) TEXTS.set(text, known)
  return () => known
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
