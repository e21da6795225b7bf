import * as z from 'zod'
import { amount } from './money.ts'

/**
 * A picture. `${url}/${height}` is its address at one of {@link LAYOUT.imageHeights}. `width`, `height` and
 * `color` let a page reserve the space and fill it with a colour before the picture loads.
 */
export const image = z.object({
  url: z.string(),
  width: z.int(),
  height: z.int(),
  /** Mean colour as `#rrggbb`, shown until the picture has loaded. */
  color: z.string(),
})
export type Image = z.infer<typeof image>

/**
 * Metadata, with the keys of V3-11 to V3-13, such as `TS_PRODYEAR`, `AD_LIACTORS` (names joined by `, `; a comma in a
 * name is followed by a no-break space).
 * `AD_SERIESEPEND` is the number of the last episode, if a file contains several.
 */
export const metadata = z.record(z.string(), z.union([z.string(), z.number()]))

/** A playable media of an asset (V3-07). */
export const media = z.object({
  idMedia: z.int(),
  /** Three-letter codes, the default first. */
  audioLanguages: z.array(z.string()),
  subtitleLanguages: z.array(z.string()),
})

/** A film or an episode (V3-07 to V3-13). Times are seconds since the Unix epoch. */
export const asset = z.object({
  idAsset: z.int(),
  title: z.string(),
  description: z.string(),
  /** The description in Markdown, only in answers of {@link contentData}. `description` is plain text. */
  descriptionMarkdown: z.string().optional(),
  tagline: z.string(),
  medias: z.array(media),
  trailer: z.object({ idMedia: z.int() }).nullable(),
  downloadable: z.boolean(),
  /** Whether the asset was live when the service answered. `isLive` computes whether it is live now (V3-15). */
  live: z.boolean(),
  /** Whether the asset is a live event that a channel carries, and so plays only from its start on. Omitted if not. */
  isBroadcast: z.boolean().optional(),
  durationInMinutes: z.number(),
  /** Exact duration of the media, in seconds; 0 while it is being prepared. */
  durationInSeconds: z.number(),
  /** Paths of categories, such as `/1/12/30`. The last segment is the id of the asset's category (V3-10). */
  path: z.array(z.string()),
  packageIds: z.array(z.int()),
  /**
   * Ids of the subscriptions that give access to the asset. `linkedTransactionalOffers` contains the ids of such
   * rentals.
   */
  linkedOffers: z.array(z.int()),
  linkedTransactionalOffers: z.array(z.int()),
  /** The lowest rental price; null without rentals. */
  rentalPrice: amount.nullable(),
  validityStartDateTime: z.int(),
  validityEndDateTime: z.int().nullable(),
  /** Playback position of the active profile, in seconds; 0 for a viewer who is not signed in. */
  seekTime: z.number(),
  alreadyWatchedInPercent: z.number(),
  moralityLevel: z.int(),
  adult: z.boolean(),
  isBlurred: z.boolean(),
  isNeedParentalCode: z.boolean(),
  isIncludedInUserOffers: z.boolean(),
  /**
   * The rental or purchase that gives the account access to this title. Null if a package gives access, or if the
   * account has no access. `until` is the end of the access in seconds since the Unix epoch; null without an end.
   * `slotSeconds` is set only for a rental that has not been played, and is its duration from the first play.
   * `until` is then the deadline for the first play (spec 49).
   */
  rental: z.object({ until: z.int().nullable(), slotSeconds: z.int().nullable() }).nullable(),
  /** End of the account's last rental of the asset. Set only by {@link activeAssets}, for ended rentals. */
  rentalEndedAt: z.int().optional(),
  isSerie: z.boolean(),
  /** For an episode, the category id of its series; -1 for every other asset (V3-09). */
  serieId: z.int(),
  detailRoute: z.string(),
  posterImage: image.nullable(),
  /** A picture in portrait format without text. It shows the main subject of the title's artwork. */
  portraitImage: image.nullable(),
  backgroundImage: image.nullable(),
  /** Title art on a transparent background. */
  logoImage: image.nullable(),
  thumbnailImage: image.nullable(),
  directMetadata: metadata,
  /**
   * `ready`: the asset can be played. `preparing`: the asset is being prepared, and `percent` is the progress.
   * `failed`: the asset cannot be prepared.
   */
  availability: z.object({ state: z.enum(['ready', 'preparing', 'failed']), percent: z.number() }),
})
export type Asset = z.infer<typeof asset>

/** A category of the catalogue. Series and seasons are categories too (V3-02 to V3-06). */
export interface Category {
  idCatalog: number
  name: string
  synopsis: string
  tagline: string
  /** Whether the category only groups other categories and has no own content. */
  fictif: boolean
  isSerie: boolean
  isSeason: boolean
  seasonNumber: number
  episodeNumber: number
  /** Number of assets directly in the category. For a series or a season, the number of its episodes. */
  assetCount: number
  /** Number of different assets in the category and in its sub-categories. */
  absolute_asset_number: number
  /** Like `absolute_asset_number`, but an asset in several sub-categories counts several times. */
  absolute_not_unique_count: number
  /** Number of assets directly in the category. */
  relative_asset_number: number
  moralityLevel: number
  adult: boolean
  isBlurred: boolean
  isNeedParentalCode: boolean
  detailRoute: string
  /** For a season, the id of its series; -1 for other categories. */
  parentId: number
  trailer: { idMedia: number } | null
  directMetadata: Record<string, string | number>
  images: Record<'default' | 'background' | 'poster' | 'portrait' | 'logo', Image | null>
  categories: Category[]
  assets: Asset[]
  /**
   * For a series, the episode that its play button plays: the episode to continue with, or the first episode. Set only
   * for signed-in viewers, in the rails of home with the layouts `Hero` and `FullScreen`.
   */
  resume?: Asset | undefined
}
export const category: z.ZodType<Category> = z.lazy(() =>
  z.object({
    idCatalog: z.int(),
    name: z.string(),
    synopsis: z.string(),
    tagline: z.string(),
    fictif: z.boolean(),
    isSerie: z.boolean(),
    isSeason: z.boolean(),
    seasonNumber: z.int(),
    episodeNumber: z.int(),
    assetCount: z.int(),
    absolute_asset_number: z.int(),
    absolute_not_unique_count: z.int(),
    relative_asset_number: z.int(),
    moralityLevel: z.int(),
    adult: z.boolean(),
    isBlurred: z.boolean(),
    isNeedParentalCode: z.boolean(),
    detailRoute: z.string(),
    parentId: z.int(),
    trailer: z.object({ idMedia: z.int() }).nullable(),
    directMetadata: metadata,
    images: z.object({
      default: image.nullable(),
      background: image.nullable(),
      poster: image.nullable(),
      portrait: image.nullable(),
      logo: image.nullable(),
    }),
    categories: z.array(category),
    assets: z.array(asset),
    resume: asset.optional(),
  }),
)

/** A programme of the guide (V3-24). Times are seconds since the Unix epoch. */
export const programme = z.object({
  id: z.int(),
  id_channel: z.int(),
  universal_id: z.string(),
  title: z.string(),
  subtitle: z.string(),
  synopsis: z.string(),
  genre: z.string(),
  /** In seconds. */
  duration: z.int(),
  startutc: z.int(),
  endutc: z.int(),
  startoverEnabled: z.boolean(),
  /** Whether viewers may pause and rewind the programme while it is live. */
  timeshiftEnabled: z.boolean(),
  npvrEnabled: z.boolean(),
  rating: z.int(),
  isBlurred: z.boolean(),
  isNeedParentalCode: z.boolean(),
  image: image.nullable(),
  /** The asset of a programme from the library; null for any other programme. */
  idAsset: z.int().nullable(),
  direct_metadata: metadata,
})
export type Programme = z.infer<typeof programme>

/** A channel (V3-21, V3-22). */
export const channel = z.object({
  id: z.int(),
  idChannel: z.int(),
  title: z.string(),
  name: z.string(),
  synopsis: z.string(),
  metadatas: metadata,
  moralityLevel: z.int(),
  tags: z.array(z.string()),
  mainGenre: z.string(),
  isNeedParentalCode: z.boolean(),
  isFavorite: z.boolean(),
  isIncludedInUserOffers: z.boolean(),
  logoImage: image.nullable(),
  /** The channel's own colour, `#rrggbb`. */
  color: z.string(),
  detailRoute: z.string(),
  item: z.object({
    type: z.enum(['library', 'relay', 'live']),
    allowTimeshift: z.boolean(),
    lcn: z.int(),
    isRadio: z.boolean(),
    /**
     * Whether the channel can be recorded. False for a relay, and for a channel that the viewer has bought separately.
     */
    allowRecording: z.boolean(),
    isFta: z.boolean(),
    localizeNumber: z.int(),
    parentalControl: z.boolean(),
  }),
  ottConfiguration: z.object({ startOver: z.boolean(), timeshift: z.int() }),
})
export type Channel = z.infer<typeof channel>

/** An item in a list, with its type (V7-07). */
export const item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('asset'), payload: asset }),
  z.object({ type: z.literal('category'), payload: category }),
  z.object({ type: z.literal('channel'), payload: channel, programme: programme.nullable() }),
])
export type Item = z.infer<typeof item>
