import * as z from 'zod'
import { image } from './entities.ts'

/* Written content on the wire: a tree of the few kinds below and nothing else. It contains no markup that a browser
   could run, so a page can safely show content from any author or import. */

/** Text, a line break, or formatted content. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis' | 'deleted'; content: Inline[] }
  /**
   * `address` is a content link, a path of the site, an anchor of the page, or an address with the scheme http, https,
   * mailto or tel.
   */
  | { kind: 'link'; address: string; content: Inline[] }

/** One cell of a table. */
type Cell = Inline[]

/** A block of written content. The blocks of a text are in order from top to bottom. */
export type Block =
  | { kind: 'paragraph'; content: Inline[] }
  /** `id` is the anchor of the heading, unique in the text. */
  | { kind: 'heading'; level: 2 | 3 | 4; id: string; content: Inline[] }
  | { kind: 'list'; ordered: boolean; start: number; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'code'; text: string }
  | { kind: 'rule' }
  | { kind: 'table'; align: ('start' | 'center' | 'end')[]; head: Cell[]; rows: Cell[][] }
  /** One picture, or several side by side. */
  | { kind: 'pictures'; pictures: Picture[] }
  /** A catalogue item or a channel. `reference` is its key in the content's `cards`. */
  | { kind: 'card'; reference: string }
  /** The trailer of the item that `reference` names. */
  | { kind: 'trailer'; reference: string; caption: string }

/** A picture with its alternative text and its caption. */
export type Picture = z.infer<typeof picture>

const picture = z.object({ image, alt: z.string(), caption: z.string() })

export const inline: z.ZodType<Inline> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('text'), text: z.string() }),
    z.object({ kind: z.literal('code'), text: z.string() }),
    z.object({ kind: z.literal('break') }),
    z.object({ kind: z.enum(['strong', 'emphasis', 'deleted']), content: z.array(inline) }),
    z.object({ kind: z.literal('link'), address: z.string(), content: z.array(inline) }),
  ]),
)

export const block: z.ZodType<Block> = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('paragraph'), content: z.array(inline) }),
    z.object({
      kind: z.literal('heading'),
      level: z.union([z.literal(2), z.literal(3), z.literal(4)]),
      id: z.string(),
      content: z.array(inline),
    }),
    z.object({
      kind: z.literal('list'),
      ordered: z.boolean(),
      start: z.int(),
      items: z.array(z.array(block)),
    }),
    z.object({ kind: z.literal('quote'), blocks: z.array(block) }),
    z.object({ kind: z.literal('code'), text: z.string() }),
    z.object({ kind: z.literal('rule') }),
    z.object({
      kind: z.literal('table'),
      align: z.array(z.enum(['start', 'center', 'end'])),
      head: z.array(z.array(inline)),
      rows: z.array(z.array(z.array(inline))),
    }),
    z.object({ kind: z.literal('pictures'), pictures: z.array(picture) }),
    z.object({ kind: z.literal('card'), reference: z.string() }),
    z.object({ kind: z.literal('trailer'), reference: z.string(), caption: z.string() }),
  ]),
)
