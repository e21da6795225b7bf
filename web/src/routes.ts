/**
 * Every screen by name and path (V2.1, A2.1, spec 1 to 6). `:name` is a parameter, and `:name?` an optional
 * parameter. Fixed segments come before parameters, and `/:slug` comes last. The screen `name` is in the file
 * `routes/{name}.tsx`.
 */
export const ROUTES = {
  home: '/',

  account: '/account',
  'account-continue': '/account/continue',
  'account-devices': '/account/devices',
  'account-favorites': '/account/favorites',
  'account-informations': '/account/informations',
  'account-lives': '/account/lives',
  'account-parental-code': '/account/parental-code',
  'account-products': '/account/products',
  'account-security': '/account/security',

  assets: '/all-content',
  'assets-slug': '/content/:slug',
  category: '/category',
  'category-slug': '/category/:slug',
  'categories-slug-details': '/series/:slug/details',
  'series-id': '/series/:id?',

  epg: '/epg',
  'epg-slug': '/epg/:slug',
  'channel-events-guide-slug': '/channel/:slug/epg',
  'channel-slug': '/channel/:slug?',
  live: '/live',
  'live-zoom': '/live-zoom',
  'live-events-guide-slug': '/live-events/:slug',

  library: '/library',
  'library-completed-records': '/library/completed-records',
  'library-downloads': '/library/downloads',
  'library-past': '/library/past',
  'library-rentals': '/library/rentals',
  'library-scheduled-records': '/library/scheduled-records',

  offers: '/offers',
  'offers-cart': '/offers/cart',
  'offers-checkout': '/offers/checkout',
  'offers-confirmation': '/offers/confirmation',
  'offers-details': '/offers/:slug',

  'auth-callback': '/auth/callback',
  'auth-login': '/auth/login',
  'auth-password-forgot': '/auth/password',
  'auth-password-reset': '/resetPassword',
  'verify-email': '/verify-email',
  register: '/register',
  'register-informations': '/register/informations',
  'register-offers': '/register/offers',
  'register-summary': '/register/summary',
  'register-confirmation': '/register/confirmation',

  'search-filter': '/search/filter/:slug',
  search: '/search/:slug',
  'editorial-type': '/read/:type',
  'editorial-type-slug': '/read/:type/:slug',
  'disciplines-slug': '/disciplines/:slug',
  'page-slug': '/page/:slug?',
  landing: '/landing',
  legal: '/legal',
  others: '/others',
  player: '/player',
  receiver: '/receiver',
  /** A television that displays a pairing code. */
  pair: '/pair',
  /** All components of the interface, for developers; not part of the service. */
  design: '/design',

  slug: '/:slug',
} as const satisfies Record<string, string>

/** The name of a screen. */
export type RouteName = keyof typeof ROUTES

/** Further paths: redirects and aliases of screens (V2.1, A2.1, V2.2-10, spec 2), and the catch-all. */
export const ALIASES = {
  'home-alias': '/home',
  'auth-callback-alias': '/oauth/generic/callback',
  unknown: '/*',
} as const satisfies Record<string, string>

/** Screens with their own layout: no navigation bar, no footer (V2.4-01, V2.4-09). */
export const STANDALONE: readonly RouteName[] = ['player', 'receiver', 'pair', 'design']

/** Screens that redirect to another screen (V2.1, A2.1). */
export const REDIRECTS = {
  account: 'account-devices',
  library: 'library-rentals',
  register: 'register-informations',
} as const satisfies Partial<Record<RouteName, RouteName>>
