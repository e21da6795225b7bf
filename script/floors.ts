/** Floors, lowest first, each with its features, lowest first. A feature imports only features that stand before it. */
export type Floors = Readonly<Record<string, readonly string[]>>

/**
 * The input of `floorRules`: features and what they may do. Paths are relative to `folder`:
 * `<floor>/<feature>/<file>`.
 */
export interface House {
  /** Folder of the features, from the root of the repository. */
  folder: string
  floors: Floors
  /**
   * Whether features offer services, types and tables only. Otherwise features may import every file of a
   * lower feature.
   */
  isClosed: boolean
  /**
   * Features that write a table of another feature, by the name of the table. A table without an entry is written only
   * by its own feature.
   */
  writers: Readonly<Record<string, readonly string[]>>
}

/** The features of the server (docs/decisions/0067). */
export const SERVER: House = {
  folder: 'server/src/features',
  floors: {
    settings: [
      'keys',
      'operators',
      'storefronts',
      'documents',
      'configuration',
      'words',
      'menus',
      'countries',
      'messages',
    ],
    people: [
      'accounts',
      'mail',
      'attempts',
      'profiles',
      'parental',
      'devices',
      'sign-in',
      'pairing',
      'sign-on',
      'registration',
    ],
    inventory: ['titles', 'line-up', 'recorded-programmes', 'track-sets', 'creatives', 'stores'],
    rights: [
      'entitlements',
      'offers',
      'payments',
      'sandbox',
      'stripe',
      'receipts',
      'vouchers',
      'store-purchases',
      'subscription-service',
      'orders',
      'accounting',
    ],
    content: ['catalogue', 'favourites', 'review-summaries', 'scores', 'library'],
    television: ['guide-import', 'schedule', 'channel-lists', 'channels'],
    streams: ['play-sessions', 'on-air', 'drm-providers', 'manifests', 'relays', 'live-inputs'],
    viewing: [
      'above-level',
      'recordings',
      'ads',
      'playback',
      'downloads',
      'casting',
      'push',
      'editorial',
      'search',
      'images',
      'publication',
      'shop',
    ],
    operation: ['operated-storefronts', 'demonstration'],
  },
  isClosed: true,
  writers: {
    // The inventory has tables that all higher floors read. The features that import titles and channels
    // write them.
    adCreatives: ['viewing/ads'],
    assetCategories: ['content/library'],
    assets: ['content/library'],
    categories: ['content/library'],
    copiedSets: ['viewing/recordings'],
    channelLists: ['television/channel-lists'],
    channels: ['television/channel-lists', 'television/schedule', 'streams/live-inputs'],
    images: ['content/library'],
    liveInputs: ['streams/live-inputs'],
    liveReceivers: ['streams/live-inputs'],
    liveSets: ['streams/live-inputs'],
    medias: ['content/library'],
    recordedProgrammes: ['viewing/recordings'],
    recordingCopies: ['viewing/recordings'],
    scheduleEntries: ['television/schedule'],
    trackSets: ['content/library', 'streams/live-inputs', 'viewing/ads', 'viewing/recordings'],
    // The search index derives the column `words`.
    editorial: ['viewing/search'],
  },
}

/** The features of the web (docs/decisions/0068). Every file of a feature below is open to the features above. */
export const WEB: House = {
  folder: 'web/src/features',
  floors: {
    ground: [
      'clock',
      'platform',
      'drawn',
      'links',
      'notices',
      'days',
      'session',
      'menus',
      'configuration',
      'errors',
      'words',
      'share',
      'head',
    ],
    people: ['sign-in', 'parental', 'profiles', 'devices'],
    rights: ['orders', 'payments', 'receipts', 'vouchers', 'offers', 'subscriptions'],
    content: ['line-up', 'favourites', 'catalogue', 'downloads', 'editorial', 'library', 'collection'],
    television: ['schedule', 'recordings', 'channels', 'guide'],
    viewing: ['casting', 'push', 'search', 'home', 'shop', 'accounts', 'registration', 'gallery'],
  },
  isClosed: false,
  writers: {},
}

/** Options of the rule `no-restricted-imports` for some files, as `oxlint.config.ts` takes them. */
interface FloorRule {
  files: string[]
  excludeFiles: string[]
  rules: { 'no-restricted-imports': ['error', { patterns: Pattern[] }] }
}

/** A pattern of `no-restricted-imports`. */
export interface Pattern {
  regex?: string
  group?: string[]
  importNames?: string[]
  allowTypeImports?: true
  message: string
}

/**
 * Returns one lint rule for each feature of a house. The rule restricts the imports of the feature's files.
 * @param others patterns that hold for all files of the house. Each rule repeats them, because it replaces the patterns
 * that earlier overrides set for its files
 */
export function floorRules(house: House, others: readonly Pattern[] = []): FloorRule[] {
  const order = Object.values(house.floors).flat()
  return Object.entries(house.floors).flatMap(([floor, features]) =>
    features.map(
      (feature): FloorRule => ({
        files: [`${house.folder}/${floor}/${feature}/**`],
        excludeFiles: ['**/*.test.ts'],
        rules: {
          // The order matters: a negated pattern in a group also cancels the matches of earlier groups.
          'no-restricted-imports': [
            'error',
            {
              patterns: [
                ...upward(order.slice(order.indexOf(feature) + 1)),
                ...others,
                ...(house.isClosed ? [CLOSED] : []),
              ],
            },
          ],
        },
      }),
    ),
  )
}

/**
 * Returns the pattern that forbids every import from the features `above`, also of types. Returns no pattern if `above`
 * is empty.
 */
function upward(above: readonly string[]): Pattern[] {
  if (above.length === 0) return []
  return [
    {
      regex: `^\\.\\./(?:\\.\\./[a-z-]+/)?(?:${above.join('|')})/`,
      message: 'A feature imports only features that stand before it in script/floors.ts.',
    },
  ]
}

/** Forbids imports from other features' files, except from services and tables. Imports of types are allowed. */
const CLOSED: Pattern = {
  group: ['../*/*.ts', '../../*/*/*.ts', '!../../../**', '!../**/*.service.ts', '!../**/*.table.ts'],
  message: "Import the feature's service, its types, or its tables for reading.",
  allowTypeImports: true,
}
