import type { Category, Item } from '@ondine/contract/entities'
import type { Block, Inline } from '@ondine/contract/rich-text'
import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import type { Reader } from '../../content/catalogue/catalogue.presenter.ts'
import { assetsByIds, type CatalogueParts, categoryTree } from '../../content/catalogue/catalogue.service.ts'
import { listChannels, nowOn } from '../../television/channels/channels.service.ts'
import { listProgrammes } from '../../television/channels/guide-windows.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { type ReferenceKind, readReference, referenceOf } from './references.ts'
import type { TitleIndex } from './title-index.ts'

/** Sources in which the references of texts are looked up. */
export interface TextSources {
  db: Database
  catalogue: CatalogueParts
  titles: TitleIndex
}

/** A text for one reader. */
export interface ReadText {
  blocks: Block[]
  cards: Record<string, Item>
}

/**
 * Prepares texts for a reader. A card or a trailer stays if the reader may see its content, and is removed otherwise. A
 * link by title becomes a link by id. If the reader may not see the content of the link, only the text of the link
 * stays.
 */
export async function readTexts(
  sources: TextSources,
  texts: readonly Block[][],
  reader: Reader,
): Promise<ReadText[]> {
  const items = await findItems(sources, [...new Set(texts.flatMap(referencesOf))], reader)
  return texts.map((blocks) => {
    const shown = blocks.flatMap((block) => readBlock(block, items))
    const cards = shown.flatMap((block) =>
      block.kind === 'card' || block.kind === 'trailer' ? [block.reference] : [],
    )
    return {
      blocks: shown,
      cards: Object.fromEntries(
        cards.flatMap((reference) => {
          const item = items.get(reference)
          return item === undefined ? [] : [[reference, item]]
        }),
      ),
    }
  })
}

/** Returns a map from references to their items. Items that the reader may not see are left out. */
export async function findItems(
  { db, catalogue, titles }: TextSources,
  references: readonly string[],
  reader: Reader,
): Promise<Map<string, Item>> {
  const wanted: { reference: string; kind: ReferenceKind; id: number }[] = []
  for (const reference of references) {
    const read = readReference(reference)
    if (read === undefined) continue
    const { kind, key } = read
    const id = 'id' in key ? key.id : await titles.find(db, kind, key.slug, reader.now)
    if (id !== undefined) wanted.push({ reference, kind, id })
  }
  const idsOf = (...kinds: ReferenceKind[]) =>
    wanted.filter(({ kind }) => kinds.includes(kind)).map(({ id }) => id)
  const [assets, categories, channels, programmes] = await Promise.all([
    assetItems(catalogue, idsOf('vod_asset'), reader),
    categoryItems(catalogue, idsOf('series', 'vod_category'), reader),
    channelItems(db, idsOf('live_channel'), reader),
    programmeItems(db, idsOf('live_broadcast'), reader),
  ])
  const byKind: Record<ReferenceKind, Map<number, Item>> = {
    vod_asset: assets,
    series: categories,
    vod_category: categories,
    live_channel: channels,
    live_broadcast: programmes,
  }
  return new Map(
    wanted.flatMap(({ reference, kind, id }) => {
      const item = byKind[kind].get(id)
      return item === undefined ? [] : [[reference, item] as const]
    }),
  )
}

async function assetItems(
  catalogue: CatalogueParts,
  ids: number[],
  reader: Reader,
): Promise<Map<number, Item>> {
  const assets = await assetsByIds(catalogue, ids, reader)
  return new Map(assets.map((payload) => [payload.idAsset, { type: 'asset', payload }]))
}

async function categoryItems(
  catalogue: CatalogueParts,
  ids: number[],
  reader: Reader,
): Promise<Map<number, Item>> {
  if (ids.length === 0) return new Map()
  const all = (list: Category[]): Category[] => list.flatMap((node) => [node, ...all(node.categories)])
  const found = all(await categoryTree(catalogue, reader)).filter(({ idCatalog }) => ids.includes(idCatalog))
  return new Map(found.map((payload) => [payload.idCatalog, { type: 'category', payload }]))
}

async function channelItems(db: Database, ids: number[], reader: Reader): Promise<Map<number, Item>> {
  if (ids.length === 0) return new Map()
  const [channels, current] = await Promise.all([
    listChannels(db, reader.viewer, reader.language),
    nowOn(db, reader.viewer, reader.language, reader.now, ids),
  ])
  return new Map(
    channels
      .filter(({ idChannel }) => ids.includes(idChannel))
      .map((payload) => [
        payload.idChannel,
        { type: 'channel', payload, programme: current.get(payload.idChannel) ?? null },
      ]),
  )
}

/** Returns items of programmes. A programme is shown in the card of its channel. */
async function programmeItems(db: Database, ids: number[], reader: Reader): Promise<Map<number, Item>> {
  const found = new Map<number, Item>()
  for (const id of ids) {
    const [entry] = await db
      .select({ channelId: programmes.channelId, startsAt: programmes.startsAt })
      .from(programmes)
      .where(eq(programmes.id, id))
    if (entry === undefined) continue
    const { channelId, startsAt } = entry
    const [channels, guide] = await Promise.all([
      listChannels(db, reader.viewer, reader.language),
      listProgrammes(db, reader.viewer, reader.language, {
        from: startsAt,
        to: startsAt + 1,
        channelIds: [channelId],
      }),
    ])
    const payload = channels.find(({ idChannel }) => idChannel === channelId)
    const programme = guide.get(channelId)?.find((one) => one.id === id)
    if (payload !== undefined && programme !== undefined)
      found.set(id, { type: 'channel', payload, programme })
  }
  return found
}

/** Returns the references of a text: its cards, trailers and links by title. */
function referencesOf(blocks: readonly Block[]): string[] {
  const ofInline = (part: Inline): string[] => {
    if (!('content' in part)) return []
    const own = part.kind === 'link' ? linkReference(part.address) : undefined
    return [...(own === undefined ? [] : [own]), ...part.content.flatMap(ofInline)]
  }
  return blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case 'paragraph':
      case 'heading':
        return block.content.flatMap(ofInline)
      case 'list':
        return block.items.flatMap(referencesOf)
      case 'quote':
        return referencesOf(block.blocks)
      case 'table':
        return [block.head, ...block.rows].flat(2).flatMap(ofInline)
      case 'card':
      case 'trailer':
        return [block.reference]
      default:
        return []
    }
  })
}

/** Returns the reference of a link by title; undefined for a link by id. */
function linkReference(address: string): string | undefined {
  const reference = referenceOf(address)
  const read = reference === undefined ? undefined : readReference(reference)
  return read !== undefined && 'slug' in read.key ? reference : undefined
}

function readBlock(block: Block, items: ReadonlyMap<string, Item>): Block[] {
  const inlines = (content: Inline[]) => content.flatMap((part) => readInline(part, items))
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return [{ ...block, content: inlines(block.content) }]
    case 'list':
      return [
        { ...block, items: block.items.map((item) => item.flatMap((inner) => readBlock(inner, items))) },
      ]
    case 'quote':
      return [{ ...block, blocks: block.blocks.flatMap((inner) => readBlock(inner, items)) }]
    case 'table':
      return [{ ...block, head: block.head.map(inlines), rows: block.rows.map((row) => row.map(inlines)) }]
    case 'card':
      return items.has(block.reference) ? [block] : []
    case 'trailer':
      return hasTrailer(items.get(block.reference)) ? [block] : []
    default:
      return [block]
  }
}

function hasTrailer(item: Item | undefined): boolean {
  return item !== undefined && item.type !== 'channel' && item.payload.trailer !== null
}

function readInline(part: Inline, items: ReadonlyMap<string, Item>): Inline[] {
  if (!('content' in part)) return [part]
  const content = part.content.flatMap((inner) => readInline(inner, items))
  if (part.kind !== 'link') return [{ ...part, content }]
  const reference = linkReference(part.address)
  if (reference === undefined) return [{ ...part, content }]
  const item = items.get(reference)
  return item === undefined ? content : [{ ...part, address: contentLink(reference, item), content }]
}

/**
 * Returns a content link with id and label, as pages resolve it (V2.2-01 to V2.2-03). Pages of an earlier
 * version that are still open do not resolve labels with slashes.
 */
function contentLink(reference: string, item: Item): string {
  const [id, label] =
    item.type === 'asset'
      ? [item.payload.idAsset, item.payload.title]
      : item.type === 'category'
        ? [item.payload.idCatalog, item.payload.name]
        : [item.payload.idChannel, item.payload.name]
  return `${reference.split('/')[0]}/${id}/${label.replaceAll('/', ' ')}`
}
