import * as z from 'zod'
import { HOME_TYPES, LAYOUT_KINDS, RAIL_SOURCES, SORT_OPTIONS } from './configuration-values.ts'
import { CONTINUE_WATCHING } from './constants.ts'
import { asset, category, item } from './entities.ts'
import { operation } from './operation.ts'
import { recording } from './recordings.ts'
import { flag, id, ids, integer } from './wire.ts'

/**
 * Returns the tree of the categories that hold content for the caller (V7-04). The categories come without their
 * assets.
 */
export const hierarchy = operation({
  method: 'POST',
  path: '/proxy/hierarchy',
  as: 'visitor',
  summary: 'The tree of categories.',
  input: z.object({}),
  output: z.array(category),
})

/** Layout kinds of a rail (V3-53). */
const layoutKind = z.enum(LAYOUT_KINDS)
export type LayoutKind = z.infer<typeof layoutKind>

/** Order of a list (V3-54). `none` keeps the operator's order. */
const sortOption = z.enum(SORT_OPTIONS)
export type SortOption = z.infer<typeof sortOption>

/**
 * Number of different random orders of a list. A visit uses one of these orders. The service caches the lists of
 * each order for all visits.
 */
export const SHUFFLES = 16

/**
 * The random order of a visit. A visit keeps its order, so that a list does not change when the viewer returns to
 * it.
 */
const shuffle = integer(0, SHUFFLES - 1).optional()

/**
 * An item of a rail. The rails of titles in progress and of favourites also contain the recordings of the active
 * profile.
 */
const railItem = z.discriminatedUnion('type', [
  ...item.options,
  z.object({ type: z.literal('recording'), payload: recording }),
])
export type RailItem = z.infer<typeof railItem>

/**
 * One rail of a page. The answer omits empty rails, except rails that failed to load and rails of articles.
 * `listEditorial` returns the articles.
 */
const rail = z.object({
  id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  layout: layoutKind,
  /**
   * The source of the items. A rail of the source `categories` is sent as one rail of kind `category` for each
   * category.
   */
  kind: z.enum(RAIL_SOURCES),
  /** Size of the cards' titles, in px; null for the layout's size (V9-14). */
  titleSize: z.int().nullable(),
  /** Height of the pictures, in px; null for the layout's height (V3-50). */
  imageHeight: z.int().nullable(),
  /** Path of the page with all items of the rail; null if there is no such page. */
  route: z.string().nullable(),
  /** Type of the articles in a rail of articles; null for all types, and in every other rail. */
  editorialType: z.string().nullable(),
  /** Whether the items of the rail could not be loaded. */
  failed: z.boolean(),
  items: z.array(railItem),
})
export type Rail = z.infer<typeof rail>

/** The rails of the home page, in order (V3-32, V7-06). */
export const homeContent = operation({
  method: 'POST',
  path: '/proxy/homeContent',
  as: 'visitor',
  summary: 'The rails of the home page.',
  input: z.object({ type: z.enum(HOME_TYPES).optional(), shuffle }),
  output: z.array(rail),
})

/** Maximum number of items in an answer of {@link listContent}. */
const LONGEST_LIST = 500

/** Returns the content of a category, or all films and series, from `offset` on, at most `limit` items (V7-07). */
export const listContent = operation({
  method: 'POST',
  path: '/proxy/listContent',
  as: 'visitor',
  summary: 'The content of a category, or a part of it.',
  input: z.object({
    /** The category. If omitted, the call returns films and series of the whole catalogue. */
    id: id.optional(),
    includeRoot: flag.optional(),
    sort: sortOption.optional(),
    shuffle,
    /** Number of items to skip. The category that `includeRoot` adds does not count. */
    offset: integer(0, 1_000_000).optional(),
    limit: integer(1, LONGEST_LIST).optional(),
  }),
  output: z.array(item),
  errors: ['notFound'],
})

/** Returns all data of the detail page of an asset or a category, including series and seasons (V7-05). */
export const contentData = operation({
  method: 'POST',
  path: '/proxy/contentData',
  as: 'visitor',
  summary: 'One asset or category with all its details, and its next episode.',
  input: z.object({ idAsset: id.optional(), idCategory: id.optional() }),
  output: z.object({
    content: z.discriminatedUnion('type', [
      z.object({ type: z.literal('asset'), payload: asset }),
      z.object({ type: z.literal('category'), payload: category }),
    ]),
    /** The series that an episode belongs to. */
    series: category.nullable(),
    /**
     * For a series, the episode to play: the episode in progress. Without one, the episode after the last finished
     * episode, or else the first.
     */
    resume: asset.nullable(),
    /** For an episode, the next episode. */
    next: asset.nullable(),
  }),
  errors: ['notFound', 'contentIdMissing'],
})

/** Returns assets by id. Unknown ids are left out (V7-08). */
export const assets = operation({
  method: 'POST',
  path: '/proxy/assets',
  as: 'visitor',
  summary: 'Assets by their ids.',
  input: z.object({ assetIds: ids(200) }),
  output: z.array(asset),
})

/** The content types of assets (V7-12, A7.3-16). */
export const CONTENT_TYPES = ['movie', 'episode'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

/** `movie`, `episode`, or both separated by a comma. */
const contentTypes = z
  .string()
  .regex(
    /^(?:movie|episode)(?:,(?:movie|episode))?$/,
    `must be ${CONTENT_TYPES.join(' or ')}, or both with a comma`,
  )

/**
 * Returns the titles that the profile has in progress (V4-49, V7-12). With `TVOD`, the titles that the account has
 * rented (A7.3-16).
 */
export const activeAssets = operation({
  method: 'POST',
  path: '/proxy/activeAssets',
  as: 'profile',
  child: 'allowed',
  summary: 'The assets that the active profile is watching, or those that its account has rented.',
  input: z.object({
    /**
     * Without `TVOD`: 0 returns titles whose position is between `watchingMin` and `watchingMax`, except titles
     * that the viewer removed from the list. Any other number returns all titles ever begun, even finished ones. With
     * `TVOD`: 0 returns rentals that the account can still watch. Any other number also returns ended rentals.
     */
    allAssets: integer(-2_147_483_648, 2_147_483_647).optional(),
    contentTypeFilter: contentTypes.optional(),
    /** Bounds of the positions of titles in progress, in percent, both included. */
    watchingMin: integer(0, 100).default(CONTINUE_WATCHING.min),
    watchingMax: integer(0, 100).default(CONTINUE_WATCHING.max),
    /** `TVOD`: rented titles, begun or not, the latest rental first. Otherwise, titles in progress. */
    commercialModel: z.enum(['SVOD', 'TVOD']).optional(),
  }),
  output: z.array(asset),
})

const removal = {
  method: 'POST',
  as: 'profile',
  child: 'allowed',
  input: z.object({ idAsset: id }),
  output: z.null(),
  errors: ['notFound'],
} as const

/**
 * Removes an asset from the active profile's titles in progress. The position is kept, so the page of the asset
 * still offers to resume it. Watching the asset again adds it again. If the profile never began the asset, the
 * call succeeds.
 */
export const removeActiveAsset = operation({
  ...removal,
  path: '/proxy/removeActiveAsset',
  summary: 'Removes an asset from the active profile’s titles in progress.',
})

/** Undoes {@link removeActiveAsset}. */
export const restoreActiveAsset = operation({
  ...removal,
  path: '/proxy/restoreActiveAsset',
  summary: 'Restores an asset to the active profile’s titles in progress.',
})

/** The account's live events that have not ended: running events first, then future events (A2.1-16). */
export const liveEvents = operation({
  method: 'POST',
  path: '/proxy/liveEvents',
  as: 'profile',
  child: 'allowed',
  summary: 'The live events of the account, current ones first.',
  input: z.object({}),
  output: z.array(asset),
})
