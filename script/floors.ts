/** Floors, lowest first, each with its features, lowest first. A feature may import only features before it. */
export type Floors = Readonly<Record<string, readonly string[]>>

/**
 * The input of {@link floorRules}: features and the imports and writes that they may have. Paths are relative to
 * `folder`: `<floor>/<feature>/<file>`.
 */
export interface House {
  /** Folder of the features, relative to the root of the repository. */
  folder: string
  floors: Floors
  /**
   * Whether a feature may import only services, types and tables of lower features. If false, it may import all
   * files of lower features.
   */
  isClosed: boolean
  /**
   * Features that may write another feature's table, by the name of the table. Only the declaring feature may
   * write a table without an entry.
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
    operation: ['operated-accounts', 'operated-storefronts', 'demonstration'],
  },
  isClosed: true,
  writers: {
    // The floor `inventory` declares tables that all higher floors read. The features that import titles and
    // channels write these tables.
    adCreatives: ['viewing/ads'],
    assetCategories: ['content/library'],
    assets: ['content/library'],
    broadcasts: ['content/library'],
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
    // The search index writes the column `words`, which it derives from the text.
    editorial: ['viewing/search'],
  },
}

/** The features of the web (docs/decisions/0068). A feature may import every file of the features below it. */
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

/** Options of the rule `no-restricted-imports` for some files, in the format of `oxlint.config.ts`. */
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
 * @param others patterns for all files of the house. Each rule repeats these patterns, because a rule replaces the
 * patterns of earlier overrides
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
 * Returns the pattern that forbids every import from the features `above`, including types. Returns no pattern if
 * `above` is empty.
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
