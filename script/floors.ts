/** Floors, lowest first, each with its features, lowest first. A feature imports only features that stand before it. */
export type Floors = Readonly<Record<string, readonly string[]>>

/** What `floorRules` enforces. Paths are relative to `folder`: `<floor>/<feature>/<file>`. */
export interface House {
  /** Folder of the features, from the root of the repository. */
  folder: string
  floors: Floors
  /** Files besides services and tables that other features may import. Without a list, they may import every file. */
  doors?: readonly string[]
}

/** The features of the server (docs/decisions/0067). Its doors may only become fewer. */
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
    inventory: ['titles', 'line-up', 'track-sets', 'stores'],
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
    television: ['schedule', 'guide-import', 'channel-lists', 'channels'],
    streams: ['play-sessions', 'on-air', 'manifests', 'relays'],
    viewing: ['above-level', 'playback', 'editorial', 'search', 'images', 'publication', 'shop'],
    operation: ['operated-storefronts', 'demonstration'],
  },
  doors: [
    'settings/storefronts/site-origin.ts',
    'settings/documents/commands-of.ts',
    'settings/documents/differences.ts',
    'settings/documents/document-commands.ts',
    'settings/documents/document-handlers.ts',
    'settings/documents/editable-document.ts',
    'people/accounts/account-links.ts',
    'people/accounts/account-rules.ts',
    'people/accounts/account.presenter.ts',
    'people/accounts/passwords.ts',
    'people/mail/emails.ts',
    'people/profiles/avatars.ts',
    'people/profiles/profile-token.ts',
    'people/profiles/profiles.presenter.ts',
    'people/parental/grown-ups.ts',
    'people/devices/device-cookie.ts',
    'people/devices/device-token.ts',
    'people/sign-in/sessions.ts',
    'people/sign-in/tokens.ts',
    'inventory/titles/age-ratings.ts',
    'inventory/titles/genres.ts',
    'inventory/titles/keywords.ts',
    'inventory/titles/texts.ts',
    'inventory/line-up/schedule-rules.ts',
    'inventory/line-up/stream-source.ts',
    'rights/entitlements/owned.ts',
    'rights/entitlements/rentals.ts',
    'rights/offers/global-promotion.ts',
    'rights/offers/linked-offers.ts',
    'rights/offers/offer-book.ts',
    'rights/offers/single-right.ts',
    'rights/offers/written-fields.ts',
    'rights/payments/ledger.ts',
    'rights/payments/payment-provider.ts',
    'rights/payments/vat-rates.ts',
    'rights/sandbox/sandbox-bank.ts',
    'rights/vouchers/import-vouchers.ts',
    'rights/vouchers/voucher-terms.ts',
    'rights/subscription-service/service-subscriptions.ts',
    'rights/orders/account-offers.ts',
    'rights/orders/buyers.ts',
    'rights/orders/cart-voucher.ts',
    'rights/orders/holdings.ts',
    'rights/orders/migrate-offer.ts',
    'rights/orders/open-checkout.ts',
    'rights/orders/periods.ts',
    'rights/orders/renewal-jobs.ts',
    'rights/orders/settle-order.ts',
    'content/catalogue/named-title.ts',
    'content/library/import-progress.ts',
    'content/library/library-pictures.ts',
    'content/library/library.jobs.ts',
    'content/library/scan-folder.ts',
    'television/schedule/channel-jobs.ts',
    'television/schedule/channel-layout.ts',
    'television/schedule/import-channels.ts',
    'television/schedule/local-time.ts',
    'television/guide-import/fetch-picture.ts',
    'television/guide-import/guide-lock.ts',
    'television/guide-import/import-presenter.ts',
    'television/guide-import/import-runs.ts',
    'television/guide-import/import-schedule.ts',
    'television/guide-import/remove-programmes.ts',
    'television/channels/channels.repository.ts',
    'television/channels/guide-windows.ts',
    'streams/play-sessions/sessions.ts',
    'streams/on-air/channel-air.ts',
    'streams/manifests/cross-origin.ts',
    'streams/manifests/licence.ts',
    'streams/manifests/manifest-query.ts',
    'streams/manifests/manifests.ts',
    'streams/manifests/media.routes.ts',
    'streams/relays/relays.ts',
    'viewing/editorial/import-editorial.ts',
    'viewing/shop/import-offers.ts',
    'viewing/shop/named-content.ts',
  ],
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
    content: ['line-up', 'favourites', 'catalogue', 'editorial', 'library', 'collection'],
    television: ['schedule', 'channels', 'guide'],
    viewing: ['search', 'home', 'shop', 'accounts', 'registration', 'gallery'],
  },
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
 * Returns the rules of a house: one for each feature.
 *
 * @param others patterns that hold in the whole house, because these rules replace those of earlier overrides
 */
export function floorRules(house: House, others: readonly Pattern[] = []): FloorRule[] {
  const order = Object.values(house.floors).flat()
  return Object.entries(house.floors).flatMap(([floor, features]) =>
    features.map(
      (feature): FloorRule => ({
        files: [`${house.folder}/${floor}/${feature}/**`],
        excludeFiles: ['**/*.test.ts'],
        rules: {
          // The order counts: a negated pattern of a group also hides what an earlier group has found.
          'no-restricted-imports': [
            'error',
            {
              patterns: [
                ...upward(order.slice(order.indexOf(feature) + 1)),
                ...others,
                ...(house.doors ? [closedDoors(house.doors)] : []),
              ],
            },
          ],
        },
      }),
    ),
  )
}

/** Forbids the values and types of the features above. */
function upward(above: readonly string[]): Pattern[] {
  if (above.length === 0) return []
  return [
    {
      regex: `^\\.\\./(?:\\.\\./[a-z-]+/)?(?:${above.join('|')})/`,
      message: 'A feature imports only features that stand before it in script/floors.ts.',
    },
  ]
}

/** Forbids the values of other features' files, except services, tables and doors. */
function closedDoors(doors: readonly string[]): Pattern {
  return {
    group: [
      '../*/*.ts',
      '../../*/*/*.ts',
      '!../../../**',
      '!../**/*.service.ts',
      '!../**/*.table.ts',
      // Names of features are unique, so that an import within a floor matches too.
      ...doors.map((path) => `!**/${path.slice(path.indexOf('/') + 1)}`),
    ],
    message: "Import the feature's service, its types, or its tables for reading.",
    allowTypeImports: true,
  }
}
