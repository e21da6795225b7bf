/** How a rail or a list shows its cards (V3-53). `OfferWide`, `OfferSquare` and `OfferDiscover` are the offer layouts. */
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

/** Orders of assets (V3-54). `none` leaves them as the catalogue has them. */
export const SORT_OPTIONS = ['none', 'random', 'ascendant', 'descendant', 'publication-date'] as const

/** What a home rail is filled with. */
export const RAIL_SOURCES = [
  /** Slides of the rails below it, or of `idCatalog`. */
  'hero',
  /** Channels with what is on now. */
  'live',
  /** What the profile has begun (V4-49). */
  'continue',
  'favorites',
  /** The content of `idCatalog`. */
  'category',
  /** One rail for each category that is big enough. */
  'categories',
  /** The titles of `titles`, in that order. */
  'list',
  /** What fits `query`. */
  'query',
  /** What came within `newDays`, and what goes within `leavingDays` (V3-19, V3-20). */
  'new',
  'leaving',
  'offers',
  /** Articles of the editorial type `editorialType`. */
  'editorial',
] as const

/** Lists of home rails (V3-32). `children` is Ondine's own: the home of a child's profile, whatever it asks for. */
export const HOME_TYPES = ['connected', 'disconnected', 'offers', 'dynamic', 'children'] as const
export type HomeType = (typeof HOME_TYPES)[number]

/** Variants of the logo (V3-55). */
export const LOGO_VARIANTS = ['full', 'compact', 'logo'] as const

/** Which channels stand with the live ones (V3-55). */
export const CHANNEL_LIVE_MODES = ['all-streaming', 'broadcast-only'] as const

/** Where a forgotten password is set anew (V3-52, A2.2-04). */
export const RESET_PASSWORD_MODES = ['internal', 'external-direct', 'external-popup', 'disabled'] as const

/** How rails of one to three titles are shown: side by side in wide windows, or not at all. */
export const SHORT_RAILS = ['share', 'hide'] as const

/** How a category shows its sub-categories (V3-52). */
export const SUB_CATEGORY_LAYOUTS = ['thumbnails', 'rails', 'list'] as const

/** When the consent popup asks (V3-52, A4.5). */
export const CONSENT_MODES = ['disabled', 'once', 'each-session'] as const

/** Where a billing page opens (V3-52). */
export const BILLING_REDIRECTIONS = ['same-tab', 'new-tab'] as const

/** How subscriptions are sold (A4.2-01, decision 37). */
export const SUBSCRIPTION_STATES = ['disabled', 'enabled', 'external', 'cleeng-type'] as const

/** How rentals are sold (A4.2-01, A4.2-02, decision 37). */
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

/** Filters of the search screen (V2.4-22), and the articles that a search finds beside titles. */
export const SEARCH_FILTERS = ['all', 'movies', 'series', 'lives', 'programs', 'articles'] as const

/** What may make two titles related (V7-28). */
export const RELATED_CRITERIA = ['genre', 'category', 'person', 'tag', 'year'] as const

/** How related titles are ordered (V7-28). */
export const RELATED_ORDERS = ['relevance', 'publication-date', 'title', 'random'] as const

/** Fields of an account besides first name, e-mail and password, which are always asked for (A3-05, A3-06, A5-11). */
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

/** Fields that the form of a new account may ask for twice (A5-11). */
export const REPEATED_FIELDS = ['email', 'password'] as const
