/** Layouts of the cards in a rail or a list (V3-53). `OfferWide`, `OfferSquare` and `OfferDiscover` are for offers. */
export const LAYOUT_KINDS = [
  'Hero',
  'Poster',
  'Cover',
  'Circle',
  'FullScreen',
  'PosterDetail',
  'Inline',
  'Totem',
  'OfferWide',
  'OfferSquare',
  'OfferDiscover',
] as const

/** Orders of assets (V3-54). `none` keeps the order of the catalogue. */
export const SORT_OPTIONS = ['none', 'random', 'ascendant', 'descendant', 'publication-date'] as const

/** Sources of the items in a rail of a home page. */
export const RAIL_SOURCES = [
  /** Large slides: titles from the rails below the slides, or from the category `idCatalog`. */
  'hero',
  /** Channels with their current programmes. */
  'live',
  /** Titles in progress of the profile (V4-49). */
  'continue',
  'favorites',
  /** The content of `idCatalog`. */
  'category',
  /** One rail for each category with enough titles. */
  'categories',
  /** The titles of the field `titles`, in that order. */
  'list',
  /** Titles that match `query`. */
  'query',
  /** Titles that arrived within `newDays`, and titles that leave within `leavingDays` (V3-19, V3-20). */
  'new',
  'leaving',
  'offers',
  /** Articles of the editorial type `editorialType`. */
  'editorial',
] as const

/** Lists of home rails (V3-32). `children` is an addition of Ondine: the home page of every child's profile. */
export const HOME_TYPES = ['connected', 'disconnected', 'offers', 'dynamic', 'children'] as const
export type HomeType = (typeof HOME_TYPES)[number]

/** Variants of the logo (V3-55). */
export const LOGO_VARIANTS = ['full', 'compact', 'logo'] as const

/** Channels that the live screen shows (V3-55). */
export const CHANNEL_LIVE_MODES = ['all-streaming', 'broadcast-only'] as const

/** Where a viewer resets a forgotten password (V3-52, A2.2-04). */
export const RESET_PASSWORD_MODES = ['internal', 'external-direct', 'external-popup', 'disabled'] as const

/**
 * Display of rails with one to three titles. `share`: in wide windows, such rails are side by side. `hide`: the page
 * hides them.
 */
export const SHORT_RAILS = ['share', 'hide'] as const

/** How the sub-categories of a category are shown (V3-52). */
export const SUB_CATEGORY_LAYOUTS = ['thumbnails', 'rails', 'list'] as const

/** When the consent dialog opens (V3-52, A4.5). */
export const CONSENT_MODES = ['disabled', 'once', 'each-session'] as const

/** Where a billing page opens (V3-52). */
export const BILLING_REDIRECTIONS = ['same-tab', 'new-tab'] as const

/** Whether subscriptions are sold, and where (A4.2-01, spec 37). */
export const SUBSCRIPTION_STATES = ['disabled', 'enabled', 'external', 'cleeng-type'] as const

/** Whether rentals are sold, and where (A4.2-01, A4.2-02, spec 37). */
export const TRANSACTIONAL_STATES = ['disabled', 'enabled', 'cleeng-type'] as const

/** Entries of the account settings (A2.1-32). */
export const ACCOUNT_ENTRIES = [
  'favorites',
  'continue',
  'products',
  'informations',
  'security',
  'parental-code',
  'devices',
  'account-management',
] as const

/** Filters of the search screen (V2.4-22). `articles` is an addition of Ondine, for editorial content. */
export const SEARCH_FILTERS = ['all', 'movies', 'series', 'lives', 'programs', 'articles'] as const

/** Criteria that make two titles related (V7-28). */
export const RELATED_CRITERIA = ['genre', 'category', 'person', 'tag', 'year'] as const

/** Orders of related titles (V7-28). */
export const RELATED_ORDERS = ['relevance', 'publication-date', 'title', 'random'] as const

/**
 * Fields of an account that a storefront can request. A new account always requires first name, last name, e-mail and
 * password (A3-05, A3-06, A5-11). If `lastName` is mandatory, a change of the details requires it too.
 */
export const ACCOUNT_FIELDS = [
  'title',
  'lastName',
  'phoneNumber',
  'birthdate',
  'language',
  'addressStreet',
  'addressSecondStreet',
  'addressThirdStreet',
  'addressNumber',
  'addressCity',
  'addressState',
  'addressZip',
  'addressCountry',
] as const

/** Fields that the form of a new account may request twice (A5-11). */
export const REPEATED_FIELDS = ['email', 'password'] as const
