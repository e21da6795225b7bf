import * as z from 'zod'
import { CONTINUE_WATCHING } from './constants.ts'
import { asset, category, item } from './entities.ts'
import { operation } from './operation.ts'
import { flag, id, ids, integer } from './wire.ts'

/** The tree of categories without their assets (V7-04). */
export const hierarchy = operation({
  method: 'POST',
  path: '/proxy/hierarchy',
  as: 'visitor',
  summary: 'The tree of categories.',
  input: z.object({}),
  output: z.array(category),
})

/** Layout kinds of a rail (V3-53). */
export const layoutKind = z.enum([
  'Hero',
  'Poster',
  'Cover',
  'Circle',
  'FullScreen',
  'PosterDetail',
  'Inline',
  'Totem',
])
export type LayoutKind = z.infer<typeof layoutKind>

/** One rail of a page. A rail without items is not sent. */
export const rail = z.object({
  id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  layout: layoutKind,
  /** `live`: channels with what is on now; `continue`: begun assets; `category`: a category's content. */
  kind: z.enum(['hero', 'live', 'continue', 'category']),
  items: z.array(item),
})
export type Rail = z.infer<typeof rail>

/** The home page: what it shows, in order (V3-32, V7-06). */
export const homeContent = operation({
  method: 'POST',
  path: '/proxy/homeContent',
  as: 'visitor',
  summary: 'The rails of the home page.',
  input: z.object({ type: z.enum(['connected', 'disconnected', 'offers', 'dynamic']).optional() }),
  output: z.array(rail),
})

/** What stands in a category (V7-07). */
export const listContent = operation({
  method: 'POST',
  path: '/proxy/listContent',
  as: 'visitor',
  summary: 'The content of a category.',
  input: z.object({ id, includeRoot: flag.optional() }),
  output: z.array(item),
  errors: ['notFound'],
})

/** Everything that a detail page shows of an asset or of a category, series and season (V7-05). */
export const contentData = operation({
  method: 'POST',
  path: '/proxy/contentData',
  as: 'visitor',
  summary: 'One asset or category with all its details, its next episode and what is like it.',
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
    related: z.array(item),
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

/** What the profile has begun (V4-49, V7-12). */
export const activeAssets = operation({
  method: 'POST',
  path: '/proxy/activeAssets',
  as: 'profile',
  summary: 'The assets that the active profile has begun to watch.',
  input: z.object({
    allAssets: integer(0, 1).optional(),
    contentTypeFilter: z.string().max(100).optional(),
    watchingMin: integer(0, 100).default(CONTINUE_WATCHING.min),
    watchingMax: integer(0, 100).default(CONTINUE_WATCHING.max),
    commercialModel: z.enum(['SVOD', 'TVOD']).optional(),
  }),
  output: z.array(asset),
})
