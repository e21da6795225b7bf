import type { Item } from '@ondine/contract/entities'
import { firmNumbers, firmSpaces } from '@ondine/contract/firm-spaces'
import type { Block, Inline, Picture as PictureContent } from '@ondine/contract/rich-text'
import { createElement, type ReactNode } from 'react'
import { TextLink } from '../../../design/buttons/link.tsx'
import { Picture } from '../../../design/pictures/picture.tsx'
import { resolveAddress } from '../../ground/links/content-link.ts'
import { ItemCard } from '../catalogue/item-card.tsx'
import styles from './rich-text.module.css'
import { TrailerCard } from './trailer-card.tsx'

/** The catalogue items that a text shows, by the `reference` of its blocks. */
export type Cards = Readonly<Record<string, Item>>

/** An editorial text. Paragraphs have a readable line length. Pictures and cards can be wider. */
export function RichText({ blocks, cards }: { blocks: readonly Block[]; cards: Cards }) {
  return <div className={styles.text}>{grouped(blocks).map((group, index) => show(group, cards, index))}</div>
}

/** Groups consecutive cards, so that they stand side by side. */
function grouped(blocks: readonly Block[]): (Block | CardGroup)[] {
  const groups: (Block | CardGroup)[] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (block.kind !== 'card') groups.push(block)
    else if (last?.kind === 'cards') last.references.push(block.reference)
    else groups.push({ kind: 'cards', references: [block.reference] })
  }
  return groups
}

interface CardGroup {
  kind: 'cards'
  references: string[]
}

// Renders a block. Its index is a stable key, because blocks never move within a text.
function show(block: Block | CardGroup, cards: Cards, key: number): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return (
        <p key={key} dir="auto">
          {inlines(block.content)}
        </p>
      )
    case 'heading':
      return createElement(
        `h${block.level}`,
        { key, id: block.id, className: styles.heading, dir: 'auto' },
        inlines(block.content),
      )
    case 'list':
      return createElement(
        block.ordered ? 'ol' : 'ul',
        { key, ...(block.ordered && block.start !== 1 ? { start: block.start } : {}) },
        block.items.map((item, index) => <li key={index}>{listItem(item, cards)}</li>),
      )
    case 'quote':
      return <blockquote key={key}>{nested(block.blocks, cards)}</blockquote>
    case 'code':
      return (
        // `tabIndex`, because long lines of code scroll, and people without a pointer must be able to scroll them.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre key={key} tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'rule':
      return <hr key={key} />
    case 'table':
      return <Table key={key} table={block} />
    case 'pictures':
      return <Pictures key={key} pictures={block.pictures} />
    case 'cards':
      return (
        <ul key={key} className={styles.cards} data-count={Math.min(block.references.length, 3)}>
          {block.references.map((reference) => {
            const item = cards[reference]
            return item && <li key={reference}>{<ItemCard item={item} layout="Cover" />}</li>
          })}
        </ul>
      )
    case 'card':
      return null
    default: {
      const item = cards[block.reference]
      return item && <TrailerCard key={key} item={item} caption={block.caption} />
    }
  }
}

function nested(blocks: readonly Block[], cards: Cards): ReactNode {
  return grouped(blocks).map((block, index) => show(block, cards, index))
}

/** Renders the text of a list item without a paragraph element, unless the item has several paragraphs. */
function listItem(blocks: readonly Block[], cards: Cards): ReactNode {
  const [first, ...rest] = blocks
  if (first?.kind !== 'paragraph' || rest.some(({ kind }) => kind === 'paragraph'))
    return nested(blocks, cards)
  return (
    <>
      {inlines(first.content)}
      {nested(rest, cards)}
    </>
  )
}

function Pictures({ pictures }: { pictures: readonly PictureContent[] }) {
  const several = pictures.length > 1
  return (
    <div className={styles.pictures} data-several={several || undefined}>
      {pictures.map(({ image, alt, caption }, index) => (
        <figure key={index} style={{ flexGrow: image.width / image.height }}>
          <Picture
            image={image}
            alt={alt}
            className={styles.picture}
            sizes={several ? '(min-width: 821px) 480px, 100vw' : '(min-width: 1100px) 1000px, 100vw'}
          />
          {caption !== '' && <figcaption dir="auto">{caption}</figcaption>}
        </figure>
      ))}
    </div>
  )
}

function Table({ table }: { table: Extract<Block, { kind: 'table' }> }) {
  const cell = (name: 'th' | 'td', content: Inline[], index: number) =>
    createElement(
      name,
      {
        key: index,
        ...(name === 'th' ? { scope: 'col' } : {}),
        style: { textAlign: table.align[index] ?? 'start' },
      },
      inlines(content),
    )
  return (
    // `tabIndex`, because a wide table scrolls, and people without a pointer must be able to scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.table} tabIndex={0}>
      <table>
        <thead>
          <tr>{table.head.map((content, index) => cell('th', content, index))}</tr>
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <tr key={index}>{row.map((content, column) => cell('td', content, column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inlines(content: readonly Inline[]): ReactNode {
  return content.map((part, index) => inline(part, index))
}

function inline(part: Inline, key: number): ReactNode {
  switch (part.kind) {
    case 'text':
      return firmNumbers(firmSpaces(part.text))
    case 'code':
      return <code key={key}>{part.text}</code>
    case 'break':
      return <br key={key} />
    case 'strong':
      return <strong key={key}>{inlines(part.content)}</strong>
    case 'emphasis':
      return <em key={key}>{inlines(part.content)}</em>
    case 'deleted':
      return <del key={key}>{inlines(part.content)}</del>
    default:
      return (
        <WrittenLink key={key} address={part.address}>
          {inlines(part.content)}
        </WrittenLink>
      )
  }
}

/** A link in a text: an anchor of the page, a screen of this site (V2.2), or another site in a new window (V2.2-16). */
function WrittenLink({ address, children }: { address: string; children: ReactNode }) {
  if (address.startsWith('#')) {
    return (
      <a className={styles.anchor} href={address}>
        {children}
      </a>
    )
  }
  const target = resolveAddress(address)
  return <TextLink to={target.kind === 'internal' ? target.path : target.url}>{children}</TextLink>
}
