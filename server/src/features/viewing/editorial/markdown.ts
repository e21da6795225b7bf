import type { Image } from '@ondine/contract/entities'
import { plainText } from '@ondine/contract/plain-text'
import type { Block, Inline, Picture } from '@ondine/contract/rich-text'
import { slugify } from '@ondine/contract/slugs'
import type * as Md from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { isTrailer, referenceOf } from './references.ts'
import { safeAddress } from './safe-address.ts'

/** Remark that a part of a text is not shown as written. */
interface Remark {
  /** Line in the text, from 1. */
  line: number
  reason: string
}

/** Parsed text. */
export interface Parsed {
  root: Md.Root
  /** Names of the pictures in the text. */
  pictures: string[]
}

/** Text prepared for display. */
export interface Rendered {
  blocks: Block[]
  remarks: Remark[]
  /** Addresses of the links in the text, so that they can be checked. */
  addresses: { address: string; line: number }[]
  readingMinutes: number
}

/** Maximum nesting of lists and quotes. */
const DEEPEST = 8
/**
 * Matches 40 marks of lists or quotes at the beginning of a line, or 200 brackets or marks in a row. Such text only
 * serves to slow down a parser.
 */
const HOSTILE = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){40}|[[\]!*_~`<(]{200}/m
const WORDS_PER_MINUTE = 220

/** Text that is crafted to be hard to parse. */
export class MarkdownError extends Error {
  override name = 'MarkdownError'
}

/** Parses Markdown. @throws MarkdownError for nesting that only serves to slow down the parser */
export function parseMarkdown(text: string): Parsed {
  if (HOSTILE.test(text)) throw new MarkdownError('its marks are nested without end')
  const root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] })
  const pictures = new Set<string>()
  const definitions = definitionsOf(root)
  walk(root, (node) => {
    if (node.type === 'image') pictures.add(node.url)
    if (node.type === 'imageReference') {
      const url = definitions.get(node.identifier)
      if (url !== undefined) pictures.add(url)
    }
  })
  return { root, pictures: [...pictures].filter((url) => !isTrailer(url)) }
}

/**
 * Renders a text as blocks of the contract.
 *
 * @param pictures pictures by their names in the text
 */
export function renderMarkdown({ root }: Parsed, pictures: ReadonlyMap<string, Image>): Rendered {
  const writer = new Writer(definitionsOf(root), pictures)
  const blocks = writer.blocks(root.children, 0)
  const words = blocks.map(wordsOf).reduce((sum, count) => sum + count, 0)
  return {
    blocks,
    remarks: writer.remarks,
    addresses: writer.addresses,
    readingMinutes: Math.max(1, Math.round(words / WORDS_PER_MINUTE)),
  }
}

class Writer {
  readonly remarks: Remark[] = []
  readonly addresses: Rendered['addresses'] = []
  readonly #definitions: ReadonlyMap<string, string>
  readonly #pictures: ReadonlyMap<string, Image>
  readonly #anchors = new Set<string>()

  constructor(definitions: ReadonlyMap<string, string>, pictures: ReadonlyMap<string, Image>) {
    this.#definitions = definitions
    this.#pictures = pictures
  }

  blocks(nodes: readonly Md.RootContent[], depth: number): Block[] {
    if (depth > DEEPEST) {
      this.#remark(nodes[0], 'it is nested too deeply and left out')
      return []
    }
    return nodes.flatMap((node) => this.#block(node, depth))
  }

  #block(node: Md.RootContent, depth: number): Block[] {
    switch (node.type) {
      case 'paragraph':
        return this.#paragraph(node)
      case 'heading': {
        const content = this.#inlines(node.children)
        this.#leaveOutMedia(node)
        const level = node.depth <= 2 ? 2 : node.depth === 3 ? 3 : 4
        return content.length === 0 ? [] : [{ kind: 'heading', level, id: this.#anchor(content), content }]
      }
      case 'list':
        return [
          {
            kind: 'list',
            ordered: node.ordered === true,
            start: node.start ?? 1,
            items: node.children.map((item) => this.blocks(item.children, depth + 1)),
          },
        ]
      case 'blockquote':
        return [{ kind: 'quote', blocks: this.blocks(node.children, depth + 1) }]
      case 'code':
        return [{ kind: 'code', text: node.value }]
      case 'thematicBreak':
        return [{ kind: 'rule' }]
      case 'table':
        return [this.#table(node)]
      case 'html':
        if (!/^<!--(?:(?!-->)[^])*-->\s*$/.test(node.value)) this.#remark(node, 'HTML is left out')
        return []
      case 'definition':
        return []
      default:
        this.#remark(node, `${node.type} is left out`)
        return []
    }
  }

  /**
   * Renders a paragraph. A line with only pictures becomes a block of pictures, and a line with only a
   * catalogue link becomes a card.
   */
  #paragraph(node: Md.Paragraph): Block[] {
    const parts = node.children.filter((child) => !(child.type === 'text' && child.value.trim() === ''))
    const [only] = parts
    if (only?.type === 'link' && parts.length === 1) {
      const reference = referenceOf(only.url)
      if (reference !== undefined) {
        this.#visit(only.url, only)
        return [{ kind: 'card', reference }]
      }
    }
    const media = mediaIn(node)
    const content = trimmed(this.#inlines(node.children))
    return [
      ...(plainText(content).trim() === '' ? [] : [{ kind: 'paragraph' as const, content }]),
      ...this.#media(media),
    ]
  }

  #media(nodes: (Md.Image | Md.ImageReference)[]): Block[] {
    const blocks: Block[] = []
    const pictures: Picture[] = []
    for (const node of nodes) {
      const url = node.type === 'image' ? node.url : this.#definitions.get(node.identifier)
      const alt = node.alt ?? ''
      const caption = (node.type === 'image' && node.title) || ''
      const reference = url !== undefined && isTrailer(url) ? referenceOf(url) : undefined
      if (url !== undefined && reference !== undefined) {
        this.#visit(url, node)
        blocks.push({ kind: 'trailer', reference, caption: caption || alt })
        continue
      }
      const image = url === undefined ? undefined : this.#pictures.get(url)
      if (image === undefined) this.#remark(node, `there is no picture ${url ?? alt}`)
      else pictures.push({ image, alt, caption })
    }
    return pictures.length === 0 ? blocks : [{ kind: 'pictures', pictures }, ...blocks]
  }

  /** Remarks on pictures and trailers where they cannot be shown. */
  #leaveOutMedia(node: Md.Nodes): void {
    for (const each of mediaIn(node))
      this.#remark(each, 'a picture is left out here; put it on a line of its own')
  }

  #table(node: Md.Table): Block {
    this.#leaveOutMedia(node)
    const [head, ...rows] = node.children.map((row) =>
      row.children.map((cell) => this.#inlines(cell.children)),
    )
    return {
      kind: 'table',
      align: (node.align ?? []).map((align) =>
        align === 'center' ? 'center' : align === 'right' ? 'end' : 'start',
      ),
      head: head ?? [],
      rows,
    }
  }

  #inlines(nodes: readonly Md.PhrasingContent[]): Inline[] {
    return nodes.flatMap((node) => this.#inline(node))
  }

  #inline(node: Md.PhrasingContent): Inline[] {
    switch (node.type) {
      case 'text':
        return [{ kind: 'text', text: node.value.replaceAll(/\s*\n\s*/g, ' ') }]
      case 'inlineCode':
        return [{ kind: 'code', text: node.value }]
      case 'break':
        return [{ kind: 'break' }]
      case 'strong':
      case 'emphasis':
        return [{ kind: node.type, content: this.#inlines(node.children) }]
      case 'delete':
        return [{ kind: 'deleted', content: this.#inlines(node.children) }]
      case 'link':
        return this.#link(node, node.url, this.#inlines(node.children))
      case 'linkReference':
        return this.#link(node, this.#definitions.get(node.identifier), this.#inlines(node.children))
      case 'image':
      case 'imageReference':
        // Pictures are shown below the paragraph that contains them.
        return []
      case 'html':
        this.#remark(node, 'HTML is left out')
        return []
      default:
        this.#remark(node, `${node.type} is left out`)
        return []
    }
  }

  #link(node: Md.PhrasingContent, url: string | undefined, content: Inline[]): Inline[] {
    const address = url === undefined ? undefined : safeAddress(url)
    if (address === undefined) {
      this.#remark(node, `the link to ${url ?? 'nothing'} is left out, its text stays`)
      return content
    }
    this.#visit(address, node)
    if (plainText(content).trim() !== '') return [{ kind: 'link', address, content }]
    if (mediaIn(node).length > 0) this.#remark(node, `the link of the picture to ${address} is left out`)
    return []
  }

  #anchor(content: Inline[]): string {
    const base = slugify(plainText(content)) || 'section'
    let id = base
    for (let count = 2; this.#anchors.has(id); count += 1) id = `${base}-${count}`
    this.#anchors.add(id)
    return id
  }

  #visit(address: string, node: Md.Nodes): void {
    this.addresses.push({ address, line: node.position?.start.line ?? 1 })
  }

  #remark(node: Md.Nodes | undefined, reason: string): void {
    this.remarks.push({ line: node?.position?.start.line ?? 1, reason: reason.slice(0, 300) })
  }
}

/** Removes the spaces that a picture leaves at the ends of its paragraph. */
function trimmed(content: Inline[]): Inline[] {
  const first = content[0]
  const last = content.at(-1)
  if (first?.kind === 'text') first.text = first.text.trimStart()
  if (last?.kind === 'text') last.text = last.text.trimEnd()
  return content.filter((part) => part.kind !== 'text' || part.text !== '')
}

function definitionsOf(root: Md.Root): Map<string, string> {
  const found = new Map<string, string>()
  walk(root, (node) => {
    if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node.url)
  })
  return found
}

/** Returns the pictures and trailers in a node, at any depth. */
function mediaIn(node: Md.Nodes): (Md.Image | Md.ImageReference)[] {
  const media: (Md.Image | Md.ImageReference)[] = []
  walk(node, (each) => {
    if (each.type === 'image' || each.type === 'imageReference') media.push(each)
  })
  return media
}

function walk(node: Md.Nodes, visit: (node: Md.Nodes) => void): void {
  visit(node)
  if ('children' in node) for (const child of node.children) walk(child, visit)
}

function wordsOf(block: Block): number {
  const count = (text: string) => text.split(/\s+/).filter(Boolean).length
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return count(plainText(block.content))
    case 'list':
      return block.items.flat().reduce((sum, inner) => sum + wordsOf(inner), 0)
    case 'quote':
      return block.blocks.reduce((sum, inner) => sum + wordsOf(inner), 0)
    case 'code':
      return count(block.text)
    case 'table':
      return [block.head, ...block.rows].flat().reduce((sum, cell) => sum + count(plainText(cell)), 0)
    default:
      return 0
  }
}
