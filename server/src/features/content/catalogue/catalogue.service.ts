import type { SortOption } from '@ondine/contract/catalogue'
import type { Configuration } from '@ondine/contract/configuration'
import type { HomeType } from '@ondine/contract/configuration-values'
import { CONTINUE_WATCHING } from '@ondine/contract/constants'
import type { Asset, Category } from '@ondine/contract/entities'
import type { Recording } from '@ondine/contract/recordings'
import type { FastifyBaseLogger } from 'fastify'
import { invalidFields, notFoundBy, ServiceError } from '../../../http/errors.ts'
import { PreparedAnswer } from '../../../http/prepared-answer.ts'
import { PreparedList } from '../../../http/prepared-list.ts'
import type { Rented } from '../../rights/entitlements/grants.service.ts'
import { type Owned, tenureOf } from '../../rights/entitlements/owned.service.ts'
import { type Reader, watchedPercent, withProgress, withRentalEnd } from './catalogue.presenter.ts'
import type { CatalogueMemory } from './catalogue-memory.ts'
import type { AssetRow, CategoryRow } from './catalogue-rows.ts'
import type { CatalogueView, Entry } from './catalogue-view.ts'
import type { ChannelItem, ChannelsOnAir } from './channels-on-air.ts'
import { allTitles, entriesOf, sortEntries } from './entries.ts'
import { planHome, type RailPlan } from './home.ts'
import { channelsForChild } from './home-of-children.ts'
import { concerns, isEmpty, NOTHING_OWN, type Own } from './own.ts'
import { NO_RECORDINGS, type ProfileRecordings, type RailRecordings } from './profile-recordings.ts'
import { type Kept, NOTHING_KEPT, type Positions } from './profile-state.ts'

export { type Kept, NO_POSITIONS, NOTHING_KEPT, type Positions } from './profile-state.ts'

/** Default number of items in an answer. */
const LIST_LENGTH = 500
/** Maximum number of assets in a list of started assets. */
const BEGUN_LENGTH = 60
/**
 * Lifetime of a home page, in milliseconds. The page then changes, because titles stop being new as time passes.
 */
const PLAN_MS = 60_000
/**
 * Maximum number of answers, and of parts of lists, that one view caches. Without a limit, requests with many
 * different offsets would fill the memory.
 */
const MOST_ANSWERS = 300
/**
 * Maximum number of complete lists that one view caches. Without a limit, requests with many different random
 * orders would fill the memory.
 */
const MOST_LISTS = 50

/** Dependencies of the catalogue's answers. */
export interface CatalogueParts {
  memory: CatalogueMemory
  channels: ChannelsOnAir
  positionsOf(profileId: number | null): Promise<Positions>
  /** Returns all rentals and single purchases of an account, including past ones, the latest first. */
  rentalsOf(accountId: number): Promise<readonly Rented[]>
  /** Returns the favourites of a profile. Cached until they change. */
  favouritesOf(profileId: number | null): Promise<Kept>
  recordingsOf: ProfileRecordings
  /**
   * Returns the progress of assets in preparation, from 0 to 100, by source key. Cached answers do not contain the
   * progress, so that a change of progress does not invalidate them.
   */
  progress(): Promise<ReadonlyMap<string, number>>
  log: FastifyBaseLogger
}

/** Returns the tree of categories, without assets (V7-04). */
export async function hierarchy({ memory }: CatalogueParts, reader: Reader): Promise<PreparedAnswer> {
  const view = await memory.view(reader)
  return shared(view, 'hierarchy', () => JSON.stringify(treeOf(view)))
}

/** Returns the tree of categories as values. */
export async function categoryTree({ memory }: CatalogueParts, reader: Reader): Promise<Category[]> {
  return treeOf(await memory.view(reader))
}

function treeOf(view: CatalogueView): Category[] {
  return view.children(null).map((row) => view.category(row))
}

/** Returns an answer that is the same for the whole audience. The answer is built once and cached. */
function shared(view: CatalogueView, key: string, make: () => string): PreparedAnswer {
  const known = view.answers.get(key)
  if (known) return known
  const answer = PreparedAnswer.of(make())
  if (view.answers.size >= MOST_ANSWERS) view.answers.delete(view.answers.keys().next().value ?? '')
  view.answers.set(key, answer)
  return answer
}

/** The requested part of a list: the category, the order, and the range of entries. */
export interface ListWish {
  /** The category; undefined for the whole catalogue. */
  id: number | undefined
  includeRoot: boolean
  sort: SortOption
  /** Seed of the random order. */
  shuffle: number
  offset: number
  limit: number | undefined
}

/** Returns the entries of a category: its series and sub-categories, then its assets (V7-07). */
export async function listContent(
  parts: CatalogueParts,
  wish: ListWish,
  reader: Reader,
): Promise<PreparedAnswer> {
  const view = await parts.memory.view(reader)
  const category = wish.id === undefined ? undefined : view.categoryRow(wish.id)
  if (wish.id !== undefined && !category) throw notFoundBy('id')
  const own = await ownOf(parts, reader)
  const list = preparedList(view, category, wish)
  if (isEmpty(own)) return list.answer
  // Replace the items that the viewer has started or bought with items that contain the viewer's own data.
  const items: [at: number, json: Buffer][] = []
  for (const [at, entry] of list.entries.entries()) {
    if (isOwn(entry, own)) items.push([at, view.ownItem(entry.row, own)])
  }
  return items.length === 0 ? list.answer : parts.memory.ownLists.answer(own.owned, list, items)
}

/**
 * Returns the requested part of a list, without data of single viewers. The part is built once for the whole
 * audience.
 */
function preparedList(
  view: CatalogueView,
  category: CategoryRow | undefined,
  wish: ListWish,
): PreparedList<Entry> {
  const key = JSON.stringify(wish)
  const known = view.preparedLists.get(key)
  if (known) return known
  const list = new PreparedList(listed(view, category, wish), (entry) => view.itemJson(entry))
  if (view.preparedLists.size >= MOST_ANSWERS)
    view.preparedLists.delete(view.preparedLists.keys().next().value ?? '')
  view.preparedLists.set(key, list)
  return list
}

/** Returns the reader's own playback positions and purchases. */
export async function ownOf({ positionsOf }: CatalogueParts, { viewer }: Reader): Promise<Own> {
  const { seconds } = await positionsOf(viewer.profileId)
  return { seconds, owned: viewer.owned }
}

/** Filter of the "continue watching" rail. */
const BEGUN: ActiveWish = { ...CONTINUE_WATCHING, kinds: new Set(['film', 'episode']), withRemoved: false }

function listed(view: CatalogueView, category: CategoryRow | undefined, wish: ListWish): Entry[] {
  const part = orderedList(view, category, wish).slice(wish.offset, wish.offset + (wish.limit ?? LIST_LENGTH))
  return wish.includeRoot && category ? [{ type: 'category', row: category }, ...part] : part
}

/**
 * Returns all entries of a category, or of the whole catalogue, in the requested order. The list is built once for
 * the whole audience.
 */
function orderedList(
  view: CatalogueView,
  category: CategoryRow | undefined,
  { sort, shuffle }: ListWish,
): readonly Entry[] {
  const key = JSON.stringify([category?.id, sort, shuffle])
  const known = view.lists.get(key)
  if (known) return known
  const entries = category ? entriesOf(view, category.id) : allTitles(view)
  const list = sortEntries(view, entries, sort, shuffle)
  if (view.lists.size >= MOST_LISTS) view.lists.delete(view.lists.keys().next().value ?? '')
  view.lists.set(key, list)
  return list
}

function isOwn(entry: Entry, own: Own): entry is Extract<Entry, { type: 'asset' }> {
  return entry.type === 'asset' && concerns(own, entry.row)
}

/** @param resumes the episode that plays for each series, in lists with play buttons */
function itemsJson(
  view: CatalogueView,
  entries: readonly Entry[],
  own: Own,
  resumes: ReadonlyMap<number, Asset> = NO_SERIES,
): string {
  const json = entries.map((entry) => {
    const resume = entry.type === 'category' ? resumes.get(entry.row.id) : undefined
    if (entry.type === 'asset' || resume === undefined) return view.itemJson(entry, own)
    return JSON.stringify({ type: 'category', payload: { ...view.category(entry.row), resume } })
  })
  return `[${json.join(',')}]`
}

const NO_SERIES: ReadonlyMap<number, Asset> = new Map()

/**
 * Returns whether the cards of a rail have play buttons. Only such rails need the episode that plays for a series.
 */
function fillsScreen({ layout }: Pick<RailPlan, 'layout'>): boolean {
  return layout === 'Hero' || layout === 'FullScreen'
}

/** Returns the series among the entries, each with the episode that its play button plays. */
function resumesOf(view: CatalogueView, entries: readonly Entry[], own: Own): Map<number, Asset> {
  const resumes = new Map<number, Asset>()
  for (const { type, row } of entries) {
    if (type === 'asset' || row.kind !== 'series') continue
    const resume = view.assetRow(episodeToResume(view.episodes(row.id), own.seconds) ?? 0)
    if (resume) resumes.set(row.id, view.asset(resume, own))
  }
  return resumes
}

/** Returns the assets with the given ids (V7-08). Skips assets that the viewer may not see. */
export async function assetsByIds(parts: CatalogueParts, ids: number[], reader: Reader): Promise<Asset[]> {
  const [view, own] = await Promise.all([parts.memory.view(reader), ownOf(parts, reader)])
  return [...new Set(ids)].flatMap((id) => view.assetRow(id) ?? []).map((row) => view.asset(row, own))
}

/** Filter for the assets that a profile has started. */
export interface ActiveWish {
  /** Bounds of the watched part of an asset, in percent, both included. */
  min: number
  max: number
  kinds: ReadonlySet<AssetRow['kind']>
  /** Whether to include assets that the profile removed from the list, and assets that the account has rented. */
  withRemoved: boolean
}

/**
 * Returns the assets that the profile has started, the latest first (V4-49). Without `withRemoved`, skips rented
 * assets, because they are in the list of rentals (V4-50, spec 20).
 */
export async function activeAssets(
  parts: CatalogueParts,
  wish: ActiveWish,
  reader: Reader,
): Promise<Asset[]> {
  const [view, positions] = await Promise.all([
    parts.memory.view(reader),
    parts.positionsOf(reader.viewer.profileId),
  ])
  const own: Own = { seconds: positions.seconds, owned: reader.viewer.owned }
  return begun(view, positions, wish, own.owned).map((row) => view.asset(row, own))
}

function begun(
  view: CatalogueView,
  { seconds, removed }: Positions,
  { min, max, kinds, withRemoved }: ActiveWish,
  owned: Owned,
): AssetRow[] {
  const found: AssetRow[] = []
  for (const [id, at] of seconds) {
    if (found.length === BEGUN_LENGTH) break
    if (removed.has(id) && !withRemoved) continue
    const row = view.assetRow(id)
    if (!row || row.durationSeconds <= 0 || !kinds.has(row.kind)) continue
    if (!withRemoved && tenureOf(owned, row) !== undefined) continue
    const percent = watchedPercent(at, row.durationSeconds)
    if (percent >= min && percent <= max) found.push(row)
  }
  return found
}

/**
 * Returns the account's rentals, the latest first (A7.3-16): rentals that can still be watched. With `withPast`,
 * also returns ended rentals, with the time of their end. For a rented season or series, returns each episode.
 */
export async function rentedAssets(
  parts: CatalogueParts,
  { kinds, withPast }: { kinds: ReadonlySet<AssetRow['kind']>; withPast: boolean },
  reader: Reader,
): Promise<Asset[]> {
  const { accountId, owned } = reader.viewer
  if (accountId === null) return []
  const [view, own, rented] = await Promise.all([
    parts.memory.view(reader),
    ownOf(parts, reader),
    parts.rentalsOf(accountId),
  ])
  const ends = new Map<AssetRow, number>()
  for (const one of rented)
    for (const row of rentedRows(view, one)) ends.set(row, Math.max(ends.get(row) ?? 0, one.until))
  return [...ends]
    .filter(([{ kind }]) => kinds.has(kind))
    .flatMap(([row, until]) => {
      const asset = view.asset(row, own)
      if (tenureOf(owned, row) !== undefined) return asset
      return withPast ? withRentalEnd(asset, until, reader.now) : []
    })
}

function rentedRows(view: CatalogueView, rented: Rented): readonly AssetRow[] {
  if ('categoryId' in rented) {
    const category = view.categoryRow(rented.categoryId)
    return category ? view.contents(category) : []
  }
  const row = view.assetRow(rented.assetId)
  return row ? [row] : []
}

/** Returns the live events that the account may watch and that have not ended, sorted by start time (A2.1-16). */
export async function liveEvents(parts: CatalogueParts, reader: Reader): Promise<Asset[]> {
  const [view, own] = await Promise.all([parts.memory.view(reader), ownOf(parts, reader)])
  return view
    .events()
    .map((row) => view.asset(row, own))
    .filter((asset) => asset.isIncludedInUserOffers)
}

/** The requested home page (V3-32): its type, the storefront's configuration, and the seed of random orders. */
export interface HomeWish {
  type: HomeType
  configuration: Pick<Configuration, 'home' | 'catalogue'>
  shuffle: number
}

/** Returns the home page (V3-32, V7-06). A failed rail does not affect the other rails. */
export async function home(parts: CatalogueParts, wish: HomeWish, reader: Reader): Promise<PreparedAnswer> {
  const view = await parts.memory.view(reader)
  const page = homePage(view, wish, reader.now)
  const has = (kind: RailPlan['kind']) => page.rails.some(({ plan }) => plan.kind === kind)
  const [positions, kept, live, recordings] = await Promise.all([
    parts.positionsOf(reader.viewer.profileId),
    has('favorites') ? parts.favouritesOf(reader.viewer.profileId) : NOTHING_KEPT,
    has('live') ? liveItems(parts, reader) : NO_CHANNELS,
    has('continue') || has('favorites') ? recordingsFor(parts, reader) : NO_RECORDINGS,
  ])
  const own: Own = { seconds: positions.seconds, owned: reader.viewer.owned }
  const isSignedIn = reader.viewer.accountId !== null
  const ofViewer: ViewerData = { own, positions, kept, recordings, isSignedIn }
  const json = () => `[${page.rails.flatMap((rail) => railJson(view, rail, live, ofViewer)).join(',')}]`
  const hasOwn =
    !isEmpty(own) ||
    own.owned.channels.size > 0 ||
    kept.titles.length + recordings.begun.length + recordings.favourites.length > 0
  if (hasOwn || live === 'failed') return PreparedAnswer.of(json())
  if (page.answer?.live !== live) page.answer = { live, prepared: PreparedAnswer.of(json()) }
  return page.answer.prepared
}

/** A home page of one audience. Built once. */
interface HomePage {
  until: number
  rails: { plan: RailPlan; json: string | undefined }[]
  answer: { live: LiveItems; prepared: PreparedAnswer } | undefined
}

/**
 * Home pages of a view, by the configured list of rails, then by the seed of random orders. A change of the
 * configuration creates a new list object, so the pages of the old list are no longer used.
 */
const PAGES = new WeakMap<CatalogueView, WeakMap<object, Map<number, HomePage>>>()

function homePage(view: CatalogueView, { type, configuration, shuffle }: HomeWish, now: number): HomePage {
  const settings = configuration.home[type]
  const ofView = PAGES.get(view) ?? new WeakMap<object, Map<number, HomePage>>()
  PAGES.set(view, ofView)
  const pages = ofView.get(settings) ?? new Map<number, HomePage>()
  ofView.set(settings, pages)
  const known = pages.get(shuffle)
  if (known && now < known.until && now >= known.until - PLAN_MS) return known
  const plans = planHome(view, settings, configuration.catalogue, shuffle, now)
  const page: HomePage = {
    until: now + PLAN_MS,
    rails: plans.map((plan) => ({ plan, json: undefined })),
    answer: undefined,
  }
  pages.set(shuffle, page)
  return page
}

/** Channels with their current programmes. The same object as before if nothing has changed. */
type LiveItems = readonly ChannelItem[] | 'failed'

const NO_CHANNELS: LiveItems = []

async function liveItems({ channels, log }: CatalogueParts, reader: Reader): Promise<LiveItems> {
  try {
    if (reader.viewer.kid) return await channelsForChild(channels, reader)
    return await channels.items(reader.viewer, reader.language, reader.now)
  } catch (error) {
    log.error({ err: error }, 'could not find what is on air')
    return 'failed'
  }
}

/** Returns the profile's recordings for the rails. If they cannot be read, the rails contain only titles. */
async function recordingsFor({ recordingsOf, log }: CatalogueParts, reader: Reader): Promise<RailRecordings> {
  try {
    return await recordingsOf(reader)
  } catch (error) {
    log.error({ err: error }, 'could not read the recordings for the home page')
    return NO_RECORDINGS
  }
}

/** The data of a viewer from which its home page differs from that of its audience. */
interface ViewerData {
  own: Own
  positions: Positions
  kept: Kept
  recordings: RailRecordings
  isSignedIn: boolean
}

/** Returns a rail with its items as JSON; undefined for an empty rail. */
function railJson(
  view: CatalogueView,
  rail: HomePage['rails'][number],
  live: LiveItems,
  { own, positions, kept, recordings, isSignedIn }: ViewerData,
): string | [] {
  const { content, ...head } = rail.plan
  if ('entries' in content) {
    if (content.entries.length === 0) return []
    const { entries } = content
    const hasPlayButtons = isSignedIn && fillsScreen(head)
    const itemsFor = (who: Own) =>
      withItems(
        head,
        itemsJson(view, entries, who, hasPlayButtons ? resumesOf(view, entries, who) : NO_SERIES),
      )
    const isOwnSeries = ({ type, row }: Entry) =>
      type === 'category' && view.episodes(row.id).some((episode) => concerns(own, episode))
    if (entries.some((entry) => isOwn(entry, own) || (hasPlayButtons && isOwnSeries(entry))))
      return itemsFor(own)
    rail.json ??= itemsFor(NOTHING_OWN)
    return rail.json
  }
  // Pages request the articles by a separate call, because this answer is shared by all storefronts, but the
  // articles differ.
  if (content.from === 'editorial') return withItems(head, '[]')
  if (content.from === 'live') {
    if (live === 'failed') return withItems(head, '[]', true)
    return live.length === 0 ? [] : withItems(head, JSON.stringify(live.slice(0, content.limit)))
  }
  if (content.from === 'favorites') {
    const items = [
      ...keptEntries(view, kept).map((entry) => view.itemJson(entry, own)),
      ...recordings.favourites.map(recordingJson),
    ]
    return ownRail(head, items.slice(0, content.limit))
  }
  const titles = begun(view, positions, BEGUN, own.owned).map((row) => ({
    watchedAt: positions.watchedAt.get(row.id) ?? 0,
    json: view.itemJson({ type: 'asset', row }, own),
  }))
  const recorded = recordings.begun.map((recording) => ({
    watchedAt: (recording.watchedAt ?? 0) * 1000,
    json: recordingJson(recording),
  }))
  const items = [...titles, ...recorded].toSorted((one, other) => other.watchedAt - one.watchedAt)
  return ownRail(
    head,
    items.slice(0, content.limit).map(({ json }) => json),
  )
}

function recordingJson(recording: Recording): string {
  return JSON.stringify({ type: 'recording', payload: recording })
}

/** Returns a rail of a profile's own items; nothing without items. */
function ownRail(head: Omit<RailPlan, 'content'>, items: readonly string[]): string | [] {
  return items.length === 0 ? [] : withItems(head, `[${items.join(',')}]`)
}

/**
 * Returns a profile's favourite titles as entries, without titles that the viewer may not see and series without
 * visible episodes.
 */
function keptEntries(view: CatalogueView, { titles }: Kept): Entry[] {
  return titles.flatMap((title): Entry[] => {
    if ('assetId' in title) {
      const row = view.assetRow(title.assetId)
      return row ? [{ type: 'asset', row }] : []
    }
    const row = view.listedCategory(title.categoryId)
    return row ? [{ type: 'category', row }] : []
  })
}

function withItems(head: Omit<RailPlan, 'content'>, items: string, failed = false): string {
  return `${JSON.stringify({ ...head, failed }).slice(0, -1)},"items":${items}}`
}

/**
 * Returns the content of a detail page (V7-05).
 *
 * @throws ServiceError `contentIdMissing`, `invalidInput` if both ids are given, `notFound`
 */
export async function contentData(
  parts: CatalogueParts,
  wanted: { idAsset?: number | undefined; idCategory?: number | undefined },
  reader: Reader,
) {
  const [view, own] = await Promise.all([parts.memory.view(reader), ownOf(parts, reader)])
  if (wanted.idAsset !== undefined && wanted.idCategory !== undefined)
    throw invalidFields([{ field: 'idCategory', message: 'must not be sent together with idAsset' }])
  if (wanted.idAsset !== undefined) return await assetDetail(parts, view, wanted.idAsset, own)
  if (wanted.idCategory !== undefined) return await categoryDetail(parts, view, wanted.idCategory, own)
  throw new ServiceError('contentIdMissing')
}

/**
 * Returns a function that presents assets for a detail page, with the viewer's playback position and the progress
 * of their preparation.
 */
async function detailPresenter(
  { progress }: CatalogueParts,
  view: CatalogueView,
  rows: readonly AssetRow[],
  own: Own,
): Promise<(row: AssetRow) => Asset> {
  const percents = rows.some(({ availability }) => availability === 'preparing')
    ? await progress()
    : undefined
  return (row) => {
    const asset = view.asset(row, own)
    const percent = row.availability === 'preparing' ? percents?.get(row.sourceKey) : undefined
    return percent === undefined ? asset : withProgress(asset, percent)
  }
}

async function assetDetail(parts: CatalogueParts, view: CatalogueView, id: number, own: Own) {
  const row = view.assetRow(id)
  if (!row) throw notFoundBy('idAsset')
  const series = row.serieId === null ? undefined : view.categoryRow(row.serieId)
  const episodes = row.serieId === null ? [] : view.episodes(row.serieId)
  // The player goes on to this episode by itself, so an episode that is still being prepared does not count.
  const next = episodes.slice(episodes.findIndex((episode) => episode.id === id) + 1).find(isReady)
  const present = await detailPresenter(parts, view, next ? [row, next] : [row], own)
  const shown = present(row)
  const payload: Asset = {
    ...shown,
    descriptionMarkdown: escapeMarkdown(shown.description),
    directMetadata: { ...shown.directMetadata, ...(next && { AD_NEXTEPI: next.id }) },
  }
  return {
    content: { type: 'asset' as const, payload },
    series: series ? view.category(series) : null,
    resume: null,
    next: next ? present(next) : null,
  }
}

async function categoryDetail(parts: CatalogueParts, view: CatalogueView, id: number, own: Own) {
  const row = view.categoryRow(id)
  if (!row) throw notFoundBy('idCategory')
  const series = row.kind === 'season' && row.parentId !== null ? view.categoryRow(row.parentId) : undefined
  const serieId = row.kind === 'series' ? row.id : series?.id
  const rows = serieId === undefined ? view.contents(row) : view.episodes(serieId)
  const present = await detailPresenter(parts, view, rows, own)
  const resume = serieId === undefined ? undefined : view.assetRow(episodeToResume(rows, own.seconds) ?? 0)
  return {
    content: { type: 'category' as const, payload: withAssets(view.category(row), rows, present) },
    series: series ? view.category(series) : null,
    resume: resume ? present(resume) : null,
    next: null,
  }
}

/** Adds the episodes to the seasons of a series. Adds all other assets to the category itself. */
function withAssets(category: Category, rows: AssetRow[], present: (row: AssetRow) => Asset): Category {
  const of = (seasonId: number | null) => rows.filter((row) => row.seasonId === seasonId).map(present)
  if (category.isSeason) return { ...category, assets: of(category.idCatalog) }
  if (!category.isSerie) return { ...category, assets: rows.slice(0, LIST_LENGTH).map(present) }
  return {
    ...category,
    categories: category.categories.map((season) => ({ ...season, assets: of(season.idCatalog) })),
    assets: of(null),
  }
}

/**
 * Returns the episode to resume: the most recently watched one, if it was started but not finished. If it is finished,
 * returns the episode that follows it. Finished specials do not count, because they interrupt the series: they are
 * neither continued nor returned after the last regular episode. A series that was not started, or that has no
 * following episode, begins with the first episode. An episode that cannot be played yet is returned only if none after
 * it can.
 *
 * @param episodes the episodes in order, specials last
 * @param seconds playback positions by asset id, the most recently watched asset first
 */
export function episodeToResume(
  episodes: readonly Pick<AssetRow, 'id' | 'seasonNumber' | 'durationSeconds' | 'availability'>[],
  seconds: Own['seconds'],
): number | undefined {
  const { min, max } = CONTINUE_WATCHING
  const indexes = new Map(episodes.map(({ id }, index) => [id, index]))
  const firstOf = (some: typeof episodes) => (some.find(isReady) ?? some[0])?.id
  const isFinishedSpecial = ({ id, seasonNumber, durationSeconds }: (typeof episodes)[number]) =>
    seasonNumber === SPECIALS &&
    durationSeconds > 0 &&
    watchedPercent(seconds.get(id) ?? 0, durationSeconds) > max
  for (const [id, at] of seconds) {
    const index = indexes.get(id)
    const episode = index === undefined ? undefined : episodes[index]
    if (index === undefined || episode === undefined || episode.durationSeconds <= 0) continue
    const percent = watchedPercent(at, episode.durationSeconds)
    if (percent >= min && percent <= max) return id
    if (percent > max && episode.seasonNumber !== SPECIALS) {
      const following = episodes.slice(index + 1).filter((other) => !isFinishedSpecial(other))
      return firstOf(following) ?? firstOf(episodes)
    }
  }
  return firstOf(episodes)
}

/** Number of the season with the specials of a series. */
const SPECIALS = 0

function isReady({ availability }: Pick<AssetRow, 'availability'>): boolean {
  return availability === 'ready'
}

/** Escapes plain text for Markdown, and makes each line a paragraph. */
function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]<>()#+\-.!|~&]/g, String.raw`\$&`)
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n\n')
}
