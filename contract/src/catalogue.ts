import * as z from 'zod'
import { HOME_TYPES, LAYOUT_KINDS, RAIL_SOURCES, SORT_OPTIONS } from './configuration-values.ts'
import { CONTINUE_WATCHING } from './constants.ts'
import { asset, category, item } from './entities.ts'
import { operation } from './operation.ts'
import { flag, id, ids, integer } from './wire.ts'

/** The tree of the categories in which whoever asks finds something, without their assets (V7-04). */
export const hierarchy = operation({
  method: 'POST',
  path: '/proxy/hierarchy',
  as: 'visitor',
  summary: 'The tree of categories.',
  input: z.object({}),
  output: z.array(category),
})

/** Layout kinds of a rail (V3-53). */
export const layoutKind = z.enum(LAYOUT_KINDS)
export type LayoutKind = z.infer<typeof layoutKind>

/** Order of a list (V3-54). `none` leaves it as the operator has it. */
export const sortOption = z.enum(SORT_OPTIONS)
export type SortOption = z.infer<typeof sortOption>

/** Shuffles that there are: lists in random order are shared by all whose visits have the same one. */
export const SHUFFLES = 16

/** Which shuffle a visit has; the same all through it, so that nothing moves when a viewer comes back to a list. */
const shuffle = integer(0, SHUFFLES - 1).optional()

/** One rail of a page. A rail without items is not sent, unless it failed or is one of articles, which `listEditorial` answers. */
export const rail = z.object({
  id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  layout: layoutKind,
  /** What it is filled with; `categories` comes as one rail of kind `category` for each. */
  kind: z.enum(RAIL_SOURCES),
  /** Size of the cards' titles, in px; null for that of the layout (V9-14). */
  titleSize: z.int().nullable(),
  /** Height of the pictures, in px; null for what fits the layout (V3-50). */
  imageHeight: z.int().nullable(),
  /** The page of all that it shows a part of; null where there is none. */
  route: z.string().nullable(),
  /** Of a rail of articles: their type; null for all types, and in every other rail. */
  editorialType: z.string().nullable(),
  /** Whether its items could not be found just now. */
  failed: z.boolean(),
  items: z.array(item),
})
export type Rail = z.infer<typeof rail>

/** The home page: what it shows, in order (V3-32, V7-06). */
export const homeContent = operation({
  method: 'POST',
  path: '/proxy/homeContent',
  as: 'visitor',
  summary: 'The rails of the home page.',
  input: z.object({ type: z.enum(HOME_TYPES).optional(), shuffle }),
  output: z.array(rail),
})

/** Most items of one answer of {@link listContent}. */
export const LONGEST_LIST = 500

/** What stands in a category (V7-07). */
export const listContent = operation({
  method: 'POST',
  path: '/proxy/listContent',
  as: 'visitor',
  summary: 'The content of a category, or a part of it.',
  input: z.object({
    /** Left out: every film and every series of the catalogue. */
    id: id.optional(),
    includeRoot: flag.optional(),
    sort: sortOption.optional(),
    shuffle,
    /** Items that are left out at the beginning; the root is none of them. */
    offset: integer(0, 1_000_000).optional(),
    limit: integer(1, LONGEST_LIST).optional(),
  }),
  output: z.array(item),
  errors: ['notFound'],
})

/** Everything that a detail page shows of an asset or of a category, series and season (V7-05). */
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
    /** For a series the episode to play: begun, else the one after the last finished, else the first. */
    resume: asset.nullable(),
    /** The episode after this one. */
    next: asset.nullable(),
  }),
  errors: ['notFound', 'contentIdMissing'],
})

/** Assets by id; unknown ids are left out (V7-08). */
export const assets = operation({
  method: 'POST',
  path: '/proxy/assets',
  as: 'visitor',
  summary: 'Assets by their ids.',
  input: z.object({ assetIds: ids(200) }),
  output: z.array(asset),
})

/** What an asset can be (V7-12, A7.3-16). */
export const CONTENT_TYPES = ['movie', 'episode'] as const
export type ContentType = (typeof CONTENT_TYPES)[number]

/** One or more of them, joined by commas. */
const contentTypes = z
  .string()
  .regex(
    /^(?:movie|episode)(?:,(?:movie|episode))?$/,
    `must be ${CONTENT_TYPES.join(' or ')}, or both with a comma`,
  )

/** Titles that the profile has begun (V4-49, V7-12); with `TVOD`, titles that the account has rented (A7.3-16). */
export const activeAssets = operation({
  method: 'POST',
  path: '/proxy/activeAssets',
  as: 'profile',
  child: 'allowed',
  summary: 'The assets that the active profile has begun to watch, or those that its account has rented.',
  input: z.object({
    /**
     * 0: what was begun within the bounds and not removed; anything else: all that was ever begun, finished or not. Of rentals,
     * 0: those that may be watched; anything else: past ones too.
     */
    allAssets: integer(0, 1).optional(),
    contentTypeFilter: contentTypes.optional(),
    /** In percent, both ends included. */
    watchingMin: integer(0, 100).default(CONTINUE_WATCHING.min),
    watchingMax: integer(0, 100).default(CONTINUE_WATCHING.max),
    /** `TVOD`: what the account has rented, begun or not, the last first. Else what was begun. */
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
 * Takes an asset out of what the active profile goes on watching. Its position stays, so that its own page still resumes it, and
 * watching it again puts it back. An asset that was never begun is no error.
 */
export const removeActiveAsset = operation({
  ...removal,
  path: '/proxy/removeActiveAsset',
  summary: 'Takes an asset out of what the active profile goes on watching.',
})

/** Undoes {@link removeActiveAsset}. */
export const restoreActiveAsset = operation({
  ...removal,
  path: '/proxy/restoreActiveAsset',
  summary: 'Puts an asset back that was taken out of what the active profile goes on watching.',
})

/** The live events of the account that have not ended: those that are on, then those to come (A2.1-16). */
export const liveEvents = operation({
  method: 'POST',
  path: '/proxy/liveEvents',
  as: 'profile',
  child: 'allowed',
  summary: 'The live events that the account has, those that are on first.',
  input: z.object({}),
  output: z.array(asset),
})
