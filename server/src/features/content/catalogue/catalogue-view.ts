import type { Asset, Category } from '@ondine/contract/entities'
import { type Language, languageTag } from '@ondine/contract/languages'
import { inOwnMemory } from '../../../http/own-memory.ts'
import type { PreparedAnswer } from '../../../http/prepared-answer.ts'
import type { PreparedList } from '../../../http/prepared-list.ts'
import { textIn } from '../../../metadata/texts.ts'
import { isVisible, type Viewer } from '../../rights/entitlements/entitlements.service.ts'
import { NOTHING_OWNED, type Owned } from '../../rights/entitlements/owned.service.ts'
import type { Sale } from '../../rights/offers/linked-offers.service.ts'
import {
  type CategoryCount,
  type CategorySurroundings,
  presentAsset,
  presentCategory,
  type Reader,
} from './catalogue.presenter.ts'
import type { AssetRow, CatalogueRows, CategoryRow } from './catalogue-rows.ts'
import { concerns, NOTHING_OWN, type Own, withOwn } from './own.ts'

/** An item of a catalogue list, with its type. */
export type Entry = { type: 'asset'; row: AssetRow } | { type: 'category'; row: CategoryRow }

/**
 * Pictures of a title, for use as the picture of a category, the best first. Only landscape pictures, because
 * cropping a portrait picture would cut off the main subject.
 */
const COVERS = ['backgroundImage', 'thumbnailImage'] as const

/** The picture of a category, and the title that it comes from. */
interface Cover {
  row: AssetRow
  picture: (typeof COVERS)[number]
}

/**
 * The catalogue as one audience sees it, in one language, at one time. Only this class decides which rows are
 * visible. Data that is the same for the whole audience is built once, and cached as values and as JSON.
 */
export class CatalogueView {
  readonly rows: CatalogueRows
  /** Offers on sale, from which the offers of each title are selected. */
  readonly sale: Sale
  readonly language: Language
  /**
   * Start of the view's validity, in milliseconds since the Unix epoch. The view ends at `until`, when a title
   * appears or disappears.
   */
  readonly from: number
  readonly until: number
  /** Answers that are the same for the whole audience, by request. */
  readonly answers = new Map<string, PreparedAnswer>()
  /** Requested parts of lists, prepared as JSON, the same for the whole audience, by request. */
  readonly preparedLists = new Map<string, PreparedList<Entry>>()
  /** Complete sorted lists, by category and order. */
  readonly lists = new Map<string, readonly Entry[]>()
  readonly #viewer: Viewer
  readonly #assets = new Map<number, { payload: Asset; json: string }>()
  readonly #categories = new Map<number, { payload: Category; json: string }>()
  /** Cached items with the position and purchases of a viewer. Keys are the viewer's purchases and the asset. */
  readonly #own = new WeakMap<Owned, Map<number, { seconds: number; item: Buffer }>>()
  readonly #categoryRows: ReadonlyMap<number, CategoryRow>
  #covers: ReadonlyMap<number, Cover> | undefined
  #around: CategorySurroundings | undefined

  constructor(rows: CatalogueRows, sale: Sale, { viewer, language, now }: Reader) {
    this.rows = rows
    this.sale = sale
    this.#viewer = viewer
    this.language = language
    this.from = now
    this.until = Math.min(nextTurn(rows, now), sale.until)
    this.#categoryRows = viewer.kid
      ? new Map([...rows.categories].filter(([, row]) => isVisible(viewer, row)))
      : rows.categories
  }

  /**
   * Returns whether an asset is visible to the viewer (spec 27). A child's profile never sees adult content or
   * titles above its level. All other viewers see the whole current catalogue.
   */
  shows(row: AssetRow): boolean {
    return (
      row.availability !== 'withdrawn' &&
      row.availability !== 'failed' &&
      row.validFrom <= this.from &&
      (row.validTo === null || row.validTo > this.from) &&
      isVisible(this.#viewer, row)
    )
  }

  assetRow(id: number): AssetRow | undefined {
    const row = this.rows.assets.get(id)
    return row && this.shows(row) ? row : undefined
  }

  categoryRow(id: number): CategoryRow | undefined {
    return this.#categoryRows.get(id)
  }

  /**
   * Returns whether a category, a series or a season contains an asset that the viewer may see, at any depth. Lists
   * leave out the others.
   */
  hasAssets(categoryId: number): boolean {
    return (this.#surroundings().counts.get(categoryId)?.distinct ?? 0) > 0
  }

  /** Returns the category or series for a list; undefined if it is hidden or contains nothing that is visible. */
  listedCategory(id: number): CategoryRow | undefined {
    return this.hasAssets(id) ? this.categoryRow(id) : undefined
  }

  /**
   * Returns the series, seasons and categories in a category, or the top categories if `parentId` is null. Skips
   * those without visible assets.
   */
  children(parentId: number | null): readonly CategoryRow[] {
    return this.#surroundings().children.get(parentId) ?? []
  }

  /**
   * Returns the assets of a category, in the order of `CatalogueRows.contents`. For a season or series, returns its
   * episodes.
   */
  contents(category: CategoryRow): AssetRow[] {
    if (category.kind === 'series') return this.episodes(category.id)
    if (category.kind === 'season')
      return this.episodes(category.parentId ?? 0).filter(({ seasonId }) => seasonId === category.id)
    return (this.rows.contents.get(category.id) ?? []).filter((row) => this.shows(row))
  }

  /** Returns the episodes of a series, by season and number. */
  episodes(serieId: number): AssetRow[] {
    return (this.rows.episodes.get(serieId) ?? []).filter((row) => this.shows(row))
  }

  /** Returns all assets that the viewer may see. */
  everything(): AssetRow[] {
    return [...this.rows.assets.values()].filter((row) => this.shows(row))
  }

  /** Returns the live events that the viewer may see and that have not ended, sorted by start time. */
  events(): AssetRow[] {
    return this.rows.events.filter(
      (row) => (row.endsAt === null || row.endsAt > this.from) && this.shows(row),
    )
  }

  /** Returns whether an asset is a live event that is on, and that the viewer may see (V3-15). */
  isOn(assetId: number): boolean {
    const row = this.assetRow(assetId)
    if (row === undefined || row.startsAt === null || row.endsAt === null) return false
    return row.startsAt <= this.from && this.from < row.endsAt
  }

  asset(row: AssetRow, own = NOTHING_OWN): Asset {
    const { payload } = this.#shownAsset(row)
    return concerns(own, row) ? withOwn(payload, row, own) : payload
  }

  category(row: CategoryRow): Category {
    return this.#shownCategory(row).payload
  }

  /** Returns an item of a list as JSON (V7-07). */
  itemJson(entry: Entry, own = NOTHING_OWN): string {
    if (entry.type === 'category')
      return `{"type":"category","payload":${this.#shownCategory(entry.row).json}}`
    if (concerns(own, entry.row)) return this.ownItem(entry.row, own).toString()
    return `{"type":"asset","payload":${this.#shownAsset(entry.row).json}}`
  }

  /**
   * Returns a list item with the viewer's own data of an asset, as JSON bytes. The items of a viewer with
   * purchases are cached until the purchases change.
   */
  ownItem(row: AssetRow, own: Own): Buffer {
    const make = () =>
      `{"type":"asset","payload":${JSON.stringify(withOwn(this.#shownAsset(row).payload, row, own))}}`
    if (own.owned === NOTHING_OWNED) return Buffer.from(make())
    const kept = this.#own.get(own.owned) ?? new Map<number, { seconds: number; item: Buffer }>()
    this.#own.set(own.owned, kept)
    const seconds = own.seconds.get(row.id) ?? 0
    const known = kept.get(row.id)
    if (known?.seconds === seconds) return known.item
    const item = inOwnMemory(make())
    kept.set(row.id, { seconds, item })
    return item
  }

  /** Number of assets that this view caches as JSON. */
  get size(): number {
    return this.#assets.size
  }

  #shownAsset(row: AssetRow): { payload: Asset; json: string } {
    const known = this.#assets.get(row.id)
    if (known) return known
    const payload = presentAsset(
      row,
      { viewer: this.#viewer, language: this.language, now: this.from },
      {
        ...this.rows,
        categories: this.#categoryRows,
        sale: this.sale,
      },
    )
    const shown = { payload, json: JSON.stringify(payload) }
    this.#assets.set(row.id, shown)
    return shown
  }

  #shownCategory(row: CategoryRow): { payload: Category; json: string } {
    const known = this.#categories.get(row.id)
    if (known) return known
    const payload = this.#withPictures(
      presentCategory(row, { viewer: this.#viewer, language: this.language }, this.#surroundings()),
    )
    const shown = { payload, json: JSON.stringify(payload) }
    this.#categories.set(row.id, shown)
    return shown
  }

  /** Adds the pictures of a title to a category without pictures. */
  #withPictures(category: Category): Category {
    const categories = category.categories.map((child) => this.#withPictures(child))
    const { images, isSerie, isSeason, idCatalog } = category
    if (isSerie || isSeason || images.default) return { ...category, categories }
    const cover = this.#coversOfCategories().get(idCatalog)
    const asset = cover && this.asset(cover.row)
    const background = (cover && asset?.[cover.picture]) ?? categories[0]?.images.background ?? null
    const poster = asset?.posterImage ?? categories[0]?.images.poster ?? null
    return {
      ...category,
      categories,
      images: { ...images, default: background ?? poster, background, poster },
    }
  }

  /**
   * Chooses a picture for each category: the first background of its titles that no other category uses, or else the
   * first such thumbnail. If other categories use all these pictures, the category shares one of them. Categories with
   * few titles choose first.
   */
  #coversOfCategories(): ReadonlyMap<number, Cover> {
    if (this.#covers) return this.#covers
    const covers = new Map<number, Cover>()
    const taken = new Set<string>()
    const byChoice = [...this.rows.contents]
      .filter(([id]) => this.#categoryRows.get(id)?.kind === 'category')
      .sort(([one, some], [other, more]) => some.length - more.length || one - other)
    for (const [id, rows] of byChoice) {
      const choices = COVERS.flatMap((picture) =>
        rows.flatMap((row) => {
          const suits = row.availability === 'ready' && row.backgroundImage !== null && this.shows(row)
          const image = suits ? row[picture] : null
          return image === null ? [] : [{ row, picture, image }]
        }),
      )
      const cover = choices.find(({ image }) => !taken.has(image)) ?? choices[0]
      if (cover === undefined) continue
      covers.set(id, cover)
      taken.add(cover.image)
    }
    this.#covers = covers
    return covers
  }

  #surroundings(): CategorySurroundings {
    if (this.#around) return this.#around
    const counts = this.#counts()
    const isShown = ({ id }: CategoryRow) => (counts.get(id)?.distinct ?? 0) > 0
    this.#around = {
      images: this.rows.images,
      trailers: this.rows.trailers,
      counts,
      children: new Map(
        [...this.rows.children].map(([id, rows]) => [id, this.#byName(rows.filter(isShown))]),
      ),
    }
    return this.#around
  }

  /**
   * Orders categories with the same position by name, in the reader's language. Series and seasons keep their
   * order.
   */
  #byName(rows: readonly CategoryRow[]): readonly CategoryRow[] {
    if (rows.some(({ kind }) => kind !== 'category')) return rows
    const { compare } = new Intl.Collator(languageTag(this.language))
    const name = ({ names }: CategoryRow) => textIn(names, this.language)
    return rows.toSorted(
      (one, other) => one.position - other.position || compare(name(one), name(other)) || one.id - other.id,
    )
  }

  /** Counts the assets of each visible category. For a season or series, counts the episodes. */
  #counts(): Map<number, CategoryCount> {
    const own = new Map<number, number[]>()
    for (const [id, rows] of this.rows.contents) own.set(id, idsOf(rows.filter((row) => this.shows(row))))
    for (const [serieId, rows] of this.rows.episodes) {
      const shown = rows.filter((row) => this.shows(row))
      own.set(serieId, idsOf(shown))
      for (const { id, seasonId } of shown) {
        if (seasonId === null) continue
        const ofSeason = own.get(seasonId)
        if (ofSeason) ofSeason.push(id)
        else own.set(seasonId, [id])
      }
    }
    return new Map(
      [...this.#categoryRows.keys()].map((id) => {
        const within = this.#within(id, own)
        const ids = own.get(id) ?? []
        const ownSeconds = ids.reduce(
          (sum, each) => sum + (this.rows.assets.get(each)?.durationSeconds ?? 0),
          0,
        )
        return [id, { own: ids.length, all: within.length, distinct: new Set(within).size, ownSeconds }]
      }),
    )
  }

  /**
   * Returns the assets in a category and its sub-categories. For a series, returns the episodes of its seasons.
   */
  #within(id: number, own: ReadonlyMap<number, readonly number[]>): readonly number[] {
    const ids = own.get(id) ?? []
    if (this.#categoryRows.get(id)?.kind !== 'category') return ids
    const below = (this.rows.children.get(id) ?? []).filter((child) => this.#categoryRows.has(child.id))
    return below.length === 0 ? ids : [...ids, ...below.flatMap((child) => this.#within(child.id, own))]
  }
}

function idsOf(rows: readonly AssetRow[]): number[] {
  return rows.map(({ id }) => id)
}

/**
 * Returns the next time at which an asset becomes valid or expires, or an event begins or ends, in milliseconds
 * since the Unix epoch.
 */
function nextTurn({ assets }: CatalogueRows, now: number): number {
  let turn = Number.POSITIVE_INFINITY
  for (const { validFrom, validTo, startsAt, endsAt } of assets.values()) {
    if (validFrom > now && validFrom < turn) turn = validFrom
    if (validTo !== null && validTo > now && validTo < turn) turn = validTo
    if (startsAt !== null && startsAt > now && startsAt < turn) turn = startsAt
    if (endsAt !== null && endsAt > now && endsAt < turn) turn = endsAt
  }
  return turn
}
