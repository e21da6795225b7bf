import * as z from 'zod'
import { address, section, tolerant, whole, words } from './configuration-fields.ts'
import {
  ACCOUNT_ENTRIES,
  LAYOUT_KINDS,
  RAIL_SOURCES,
  RELATED_CRITERIA,
  RELATED_ORDERS,
  SEARCH_FILTERS,
  SHORT_RAILS,
  SORT_OPTIONS,
  SUB_CATEGORY_LAYOUTS,
} from './configuration-values.ts'
import { LAYOUT, TEXTS } from './constants.ts'

const titleSize = whole(LAYOUT.titleSizeMin, LAYOUT.titleSizeMax)

/**
 * Bars, menus and footer (V2.4). The entries of the header and the footer are in the menus that an operator
 * publishes (spec 10).
 */
export const navigation = section({
  navBar: z
    .boolean()
    .default(true)
    .describe('Whether native apps, and phones on the web, have the tab bar (V2.4-13, spec 45).'),
  isPurchasesTabEnable: z
    .boolean()
    .default(true)
    .describe('Whether the profile menu contains the library (V2.4-17).'),
  getMenuProfile: z
    .object({
      items: z
        .array(z.string().regex(/^[a-z][a-z0-9-]{0,30}$/, 'must be a short name in lower case'))
        .max(10),
    })
    .catchall(z.strictObject({ url: address, title: words.default({}) }))
    // `as never`: with `catchall`, TypeScript requires `items` to have the type of a custom item too.
    .prefault({ items: [] } as never)
    .describe(
      "Additional items of the profile menu: `notifications`, which leads to their switch if it has no url, and custom ones with '<item>.url' (V2.4-18).",
    ),
  getAccountSettingsMenu: z
    .array(z.enum(ACCOUNT_ENTRIES))
    .default([...ACCOUNT_ENTRIES])
    .describe('Entries of the account settings, in order (A2.1-32).'),
  storeLinks: section({
    ios: address.default('').describe("Address in Apple's store; empty for no badge (V2.4-11)."),
    android: address.default('').describe("Address in Google's store; empty for no badge (V2.4-11)."),
  }),
  copyright: z
    .array(words)
    .max(2)
    .default([])
    .describe('The two copyright lines, by language; {year} and {name} are filled in (V2.4-10).'),
  virtualRemote: z
    .boolean()
    .default(false)
    .describe('Whether the screen shows a virtual remote (V3-47, spec 14).'),
})

/** One rail of a home page (V3-32, V3-53). */
const homeRail = z.strictObject({
  id: z
    .string()
    .regex(/^[\w-]{1,60}$/, 'must be a short name')
    .describe('Name of the rail, unique in its list.'),
  source: z.enum(RAIL_SOURCES).describe('Source of its items.'),
  title: words.default({}).describe('Title, by language; empty for the title of its source.'),
  layout: z
    .enum(LAYOUT_KINDS)
    .optional()
    .describe('Layout of its cards; by default the layout for its source (V3-53).'),
  sort: z.enum(SORT_OPTIONS).default('none').describe('Order of its items (V3-54).'),
  limit: whole(1, 100).default(24).describe('Maximum number of items.'),
  idCatalog: whole(1, 2_147_483_647).optional().describe('With source category or hero: the category.'),
  titles: z
    .array(
      z.union([
        z.strictObject({ idAsset: whole(1, 2_147_483_647) }),
        z.strictObject({ idCatalog: whole(1, 2_147_483_647) }),
      ]),
    )
    .max(100)
    .optional()
    .describe('With source list: films, episodes and series by their ids, in order.'),
  query: z
    .strictObject({
      kind: z.enum(['film', 'series', 'any']).default('any').describe('Films, series or both.'),
      genres: z
        .array(z.string().max(100))
        .max(20)
        .default([])
        .describe('Any of these genres; empty for all.'),
      people: z
        .array(z.string().max(100))
        .max(20)
        .default([])
        .describe('Any of these people, as actor or director.'),
      fromYear: whole(1800, 3000).optional().describe('Produced in this year or later.'),
      toYear: whole(1800, 3000).optional().describe('Produced in this year or earlier.'),
    })
    .optional()
    .describe('With source query: conditions for titles.'),
  editorialType: z.string().max(60).optional().describe('With source editorial: the type of article.'),
  titleSize: titleSize
    .optional()
    .describe("Size of its cards' titles, in px; by default the size of the layout (V9-14)."),
  imageHeight: whole(100, 2160).optional().describe('Height of its pictures, in px (V3-50).'),
})

const hero = { id: 'hero', source: 'hero', limit: 5 } as const
const live = { id: 'live', source: 'live' } as const
const categories = { id: 'categories', source: 'categories' } as const
const railList = z.array(homeRail).max(60)
/**
 * The rails of a child's home. Titles in progress and favourites come first. Names of rails use words that a child
 * knows.
 */
const forChildren: z.input<typeof railList> = [
  { id: 'continue', source: 'continue' },
  { id: 'favorites', source: 'favorites' },
  {
    id: 'animation',
    source: 'query',
    query: { genres: ['Animation'] },
    sort: 'ascendant',
    title: { fra: 'Dessins animés', eng: 'Cartoons' },
  },
  {
    id: 'nature',
    source: 'query',
    query: { genres: ['Nature', 'Documentaire'] },
    layout: 'Cover',
    title: { fra: 'Les animaux et la nature', eng: 'Animals and nature' },
  },
  {
    id: 'films',
    source: 'query',
    query: { kind: 'film' },
    title: { fra: 'Des films pour toi', eng: 'Films for you' },
  },
  {
    id: 'series',
    source: 'query',
    query: { kind: 'series' },
    layout: 'Cover',
    title: { fra: 'Des séries pour toi', eng: 'Series for you' },
  },
  { id: 'live', source: 'live' },
  { id: 'new', source: 'new' },
]

/** Home pages (V3-32). */
export const home = section({
  connected: railList
    .prefault([
      hero,
      live,
      { id: 'continue', source: 'continue' },
      { id: 'favorites', source: 'favorites' },
      categories,
    ])
    .describe('Rails of home for signed-in viewers (V3-32).'),
  disconnected: railList.prefault([hero, live, categories]).describe('Rails of home for visitors (V3-32).'),
  offers: railList
    .prefault([{ id: 'offers', source: 'offers', layout: 'OfferWide' }])
    .describe('Rails of home of type offers (V3-32).'),
  dynamic: railList
    .prefault([categories])
    .describe('Rails that change with the catalogue: home of type dynamic (V3-32).'),
  children: railList
    .prefault(forChildren)
    .describe(
      "Rails of home for a child's profile, limited by its level (V3-32, spec 27). Rails without a title get one in words for children.",
    ),
  shortRails: z
    .enum(SHORT_RAILS)
    .default('share')
    .describe(
      'Rails with one to three titles: `share` puts them side by side if the window is wide enough, `hide` hides them. Live, begun and favourite titles are always shown.',
    ),
  titleSizes: section({
    rail: titleSize.default(LAYOUT.titleSizes.rail).describe('Title size of rails, in px (V9-14).'),
    posterDetail: titleSize
      .default(LAYOUT.titleSizes.posterDetail)
      .describe('Title size of this layout, in px (V9-14).'),
    poster: titleSize.default(LAYOUT.titleSizes.poster).describe('Title size of this layout, in px (V9-14).'),
    hero: titleSize.default(LAYOUT.titleSizes.hero).describe('Title size of this layout, in px (V9-14).'),
    cover: titleSize.default(LAYOUT.titleSizes.cover).describe('Title size of this layout, in px (V9-14).'),
    totem: titleSize.default(LAYOUT.titleSizes.totem).describe('Title size of this layout, in px (V9-14).'),
    fullscreen: titleSize
      .default(LAYOUT.titleSizes.fullscreen)
      .describe('Title size of this layout, in px (V9-14).'),
  }),
  anonymousPage: z
    .string()
    .max(200)
    .default('')
    .describe('Slug of the home page for visitors under private access; empty for none (V2.3-05).'),
})

/** Catalogue, detail pages, sharing (V3). */
export const catalogue = section({
  getIdCatalogSeries: whole(0, 2_147_483_647)
    .default(0)
    .describe('Id of the catalogue of series; 0 for the first one with series (V3-44).'),
  newDays: whole(0, 365)
    .default(7)
    .describe('Days after its arrival during which a title counts as new (V3-19).'),
  leavingDays: whole(0, 365)
    .default(14)
    .describe('Days before its end during which a title counts as leaving (V3-20).'),
  subCategoryLayout: tolerant(SUB_CATEGORY_LAYOUTS, 'thumbnails')
    .default('thumbnails')
    .describe('How a category shows its sub-categories; unknown: thumbnails (V3-52).'),
  categorySort: z
    .enum(SORT_OPTIONS)
    .default('none')
    .describe("Order of a category's assets, until a viewer chooses (V3-54)."),
  categoryLayout: z.enum(LAYOUT_KINDS).default('Poster').describe("Cards of a category's grid (V3-53)."),
  itemsPerRow: z
    .union([z.literal(1), z.literal(3)])
    .default(3)
    .describe('Items in a row of a list grid (V9-12).'),
  imageHeights: z
    .array(whole(100, 4320))
    .min(1)
    .max(10)
    .default([...LAYOUT.imageHeights])
    .describe('Available heights of pictures, in px (V3-50).'),
  metadataShown: whole(0, 20)
    .default(TEXTS.metadataShown)
    .describe('Maximum number of lines in the list of facts (V3-14).'),
  shareEnabled: z.boolean().default(true).describe('Whether titles can be shared (V3-46).'),
  related: section({
    criteria: z
      .array(z.enum(RELATED_CRITERIA))
      .default(['genre', 'category'])
      .describe('Criteria for related titles (V7-28).'),
    count: whole(0, 50).default(12).describe('Maximum number of related titles; 0 for none (V7-28).'),
    order: z.enum(RELATED_ORDERS).default('relevance').describe('Order of related titles (V7-28).'),
  }),
  aiSummary: section({
    enabled: z.boolean().default(false).describe('Whether titles have a panel of review summaries (V1-10).'),
    description: z.boolean().default(true).describe('Whether the panel shows the summary (V3-49).'),
    sentiments: z.boolean().default(true).describe('Whether the panel shows sentiments (V3-49).'),
    criticalReviews: z.boolean().default(true).describe('Whether the panel shows reviews (V3-49).'),
    sentimentsLimit: whole(0, 50)
      .default(TEXTS.reviewsLimit)
      .describe('Maximum number of sentiments of each kind (V3-49).'),
    criticalReviewsLimit: whole(0, 50)
      .default(TEXTS.reviewsLimit)
      .describe('Maximum number of reviews (V3-49).'),
  }),
})

/** Search (V2.4-22, V7-27). */
export const search = section({
  enabled: z.boolean().default(true).describe('Whether the search box exists.'),
  filters: z
    .array(z.enum(SEARCH_FILTERS))
    .min(1)
    .default([...SEARCH_FILTERS])
    .describe('Filters of the search screen, in order (V2.4-22).'),
  count: whole(1, 200).default(TEXTS.searchCount).describe('Results per page of a full-text search (V7-27).'),
  itemsPerPage: whole(1, 100)
    .default(TEXTS.pageSize)
    .describe('Results per page of a filter search (V7-27).'),
  suggestions: whole(0, 20).default(8).describe('Maximum number of suggestions while typing; 0 for none.'),
  recent: whole(0, 20)
    .default(6)
    .describe('Maximum number of searches that the browser remembers; 0 for none.'),
})

/** The programme guide, and the guides of a channel and of live events (V2.3, V9-04). */
export const guide = section({
  epgGridConfiguration: section({
    pageActivation: z.boolean().default(true).describe('Whether the guide exists (V2.3-02).'),
    timeline: z.boolean().default(true).describe('Whether days are chosen on a timeline (V9-04).'),
    pastDays: whole(0, 30).default(3).describe('Number of past days on the timeline (V9-04).'),
    futureDays: whole(0, 30).default(7).describe('Number of future days on the timeline (V9-04).'),
    granularity: z
      .enum(['Day', 'Week'])
      .default('Day')
      .describe('Step of navigation: 30 minutes, or 7 days (V9-05).'),
  }),
  channelEventsGuideConfiguration: section({
    pageActivation: z.boolean().default(true).describe('Whether channels have their own guide (V2.3-01).'),
  }),
  liveEventsGuideConfiguration: section({
    pageActivation: z.boolean().default(true).describe('Whether the guide of live events exists (V2.3-04).'),
  }),
})
