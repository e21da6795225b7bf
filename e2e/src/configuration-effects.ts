/** What the service answers at an address: a page, or where it leads instead. */
export interface Seen {
  status: number
  location: string | null
  html: string
  policy: string
}

/** A field, a value, and what of a page shows that it holds. */
export interface Effect {
  /** The clause that it proves, where there is one. */
  clause?: string
  path: string
  value: unknown
  /** What else has to be set so that it can be seen. */
  besides?: Record<string, unknown>
  /** The page; `film` stands for the page of a film, `category` for that of all films. */
  at?: string
  signedIn?: true
  /** A call instead of a page: its fields. */
  fields?: Record<string, string>
  /** False for the page as it was, true for the page as the field makes it. */
  shows(seen: Seen): boolean
}

const holds = (text: string) => (seen: Seen) => seen.html.includes(text)
const lacks = (text: string) => (seen: Seen) => seen.location === null && !seen.html.includes(text)
const leadsTo = (path: string) => (seen: Seen) => seen.location?.split('?')[0] === path
const property = (name: string, value: string) => holds(`--${name}:${value}`)

/** Colours, each readable on the grounds that come with the service. */
const COLORS: Record<string, [property: string, color: string]> = {
  surface0: ['surface-0', '#000814'],
  surface1: ['surface-1', '#0a1020'],
  surface2: ['surface-2', '#101830'],
  surface3: ['surface-3', '#182040'],
  text1: ['text-1', '#fefefe'],
  text2: ['text-2', '#cccccc'],
  text3: ['text-3', '#bbbbbb'],
  accent: ['accent', '#ffaa00'],
  live: ['live', '#ff0055'],
  warning: ['amber', '#ffee00'],
}

const SIZES = {
  rail: 'rail',
  posterDetail: 'poster-detail',
  poster: 'poster',
  hero: 'hero',
  cover: 'cover',
  totem: 'totem',
  fullscreen: 'fullscreen',
}

/** How often a page has something. */
const times = (seen: Seen, pattern: RegExp) => seen.html.match(pattern)?.length ?? 0

/** What can be seen in the page that the server sends. */
export const EFFECTS: readonly Effect[] = [
  { path: 'brand.name', value: 'Lumière', shows: (seen) => /<title>[^<]*Lumière/.test(seen.html) },
  {
    path: 'brand.tagline',
    value: { fra: 'Bonsoir à tous' },
    shows: (seen) => /<title>[^<]*Bonsoir à tous/.test(seen.html),
  },
  ...(['full', 'compact', 'logo'] as const).map(
    (variant): Effect => ({
      clause: 'V3-55',
      path: `brand.logos.${variant}`,
      value: `/icon.svg?${variant}`,
      besides: { 'brand.footerLogo': variant },
      shows: holds(`src="/icon.svg?${variant}"`),
    }),
  ),
  ...(['barLogo', 'narrowLogo', 'footerLogo'] as const).map(
    (place): Effect => ({
      clause: 'V3-55',
      path: `brand.${place}`,
      value: 'logo',
      besides: { 'brand.logos.logo': '/icon.svg?sign' },
      shows: holds('src="/icon.svg?sign"'),
    }),
  ),
  { path: 'brand.icon', value: '/icon.svg?mine', shows: holds('href="/icon.svg?mine"') },

  ...Object.entries(COLORS).map(
    ([name, [custom, color]]): Effect => ({
      clause: 'V3-48',
      path: `colors.${name}`,
      value: color,
      shows: property(custom, color),
    }),
  ),
  { clause: 'V3-48', path: 'style.textFont', value: 'Georgia', shows: property('font-text', '"Georgia"') },
  {
    clause: 'V3-48',
    path: 'style.textFontFile',
    value: '/fonts/own.woff2',
    shows: (seen) => /@font-face\{font-family:"Figtree"[^}]*own\.woff2/.test(seen.html),
  },
  {
    clause: 'V3-48',
    path: 'style.displayFont',
    value: 'Georgia',
    shows: property('font-display', '"Georgia"'),
  },
  {
    clause: 'V3-48',
    path: 'style.displayFontFile',
    value: 'https://fonts.test/own.woff2',
    shows: ({ html, policy }) =>
      /@font-face\{font-family:"Bricolage Grotesque"[^}]*own\.woff2/.test(html) &&
      policy.includes("font-src 'self' https://fonts.test;"),
  },
  { clause: 'V3-48', path: 'style.cardRadius', value: 3, shows: property('radius-card', '3px') },
  { clause: 'V3-48', path: 'style.panelRadius', value: 5, shows: property('radius-panel', '5px') },
  {
    clause: 'V3-48',
    path: 'style.buttonShape',
    value: 'square',
    shows: property('radius-button', '0px'),
  },

  {
    clause: 'V2.4-25',
    path: 'seo.title',
    value: { fra: 'Cinéma du soir' },
    shows: holds('<title>Cinéma du soir</title>'),
  },
  {
    clause: 'V2.4-25',
    path: 'seo.description',
    value: { fra: 'Des films choisis.' },
    shows: holds('content="Des films choisis."'),
  },
  { path: 'seo.image', value: '/icon.svg?share', shows: holds('/icon.svg?share') },
  { path: 'seo.indexed', value: false, shows: holds('name="robots" content="noindex"') },

  {
    clause: 'V3-51',
    path: 'languages.languages',
    value: ['fra'],
    shows: lacks('>English<'),
  },
  {
    path: 'languages.default',
    value: 'eng',
    shows: holds('<html lang="en"'),
  },

  {
    clause: 'V2.3-08',
    path: 'languages.urlPrefix',
    value: true,
    at: '/en/auth/login',
    shows: ({ status, html }) => status === 200 && html.includes('<html lang="en"'),
  },
  {
    clause: 'V2.3-08',
    path: 'languages.redirectRoot',
    value: true,
    besides: { 'languages.urlPrefix': true },
    shows: ({ location }) => /^\/fr\/?$/.test(location ?? ''),
  },
  {
    clause: 'V2.3-08',
    path: 'languages.detectBrowserLanguage',
    value: true,
    shows: holds('<html lang="en"'),
  },

  {
    clause: 'V2.4-11',
    path: 'navigation.storeLinks.ios',
    value: 'https://store.test/ios',
    shows: holds('href="https://store.test/ios"'),
  },
  {
    clause: 'V2.4-11',
    path: 'navigation.storeLinks.android',
    value: 'https://store.test/android',
    shows: holds('href="https://store.test/android"'),
  },
  {
    clause: 'V2.4-10',
    path: 'navigation.copyright',
    value: [{ fra: 'Par {name}' }, { fra: 'Depuis 1895' }],
    shows: ({ html }) => html.includes('>Depuis 1895<') && html.includes('>Par Flip<'),
  },
  {
    clause: 'A2.1-32',
    path: 'navigation.getAccountSettingsMenu',
    value: ['devices'],
    at: '/account/devices',
    signedIn: true,
    shows: lacks('href="/account/favorites"'),
  },
  {
    clause: 'V2.4-17',
    path: 'navigation.isPurchasesTabEnable',
    value: false,
    at: '/live',
    signedIn: true,
    shows: lacks('href="/library/rentals"'),
  },
  {
    clause: 'V2.4-18',
    path: 'navigation.getMenuProfile',
    value: { items: ['aide'], aide: { url: '/page/faq', title: { fra: 'À l’aide' } } },
    at: '/live',
    signedIn: true,
    shows: holds('À l’aide'),
  },

  {
    clause: 'V3-32',
    path: 'home.disconnected',
    value: [{ id: 'now', source: 'live', title: { fra: 'À l’antenne ce soir' } }],
    shows: holds('À l’antenne ce soir'),
  },
  {
    clause: 'V3-32',
    path: 'home.connected',
    value: [{ id: 'now', source: 'live', title: { fra: 'Vos chaînes ce soir' } }],
    signedIn: true,
    shows: holds('Vos chaînes ce soir'),
  },
  ...(['offers', 'dynamic'] as const).map(
    (type): Effect => ({
      clause: 'V3-32',
      path: `home.${type}`,
      value: [{ id: 'flipped', source: 'live' }],
      at: '/proxy/homeContent',
      fields: { type },
      shows: holds('"id":"flipped"'),
    }),
  ),
  {
    clause: 'V3-19',
    path: 'catalogue.newDays',
    value: 0,
    besides: { 'home.disconnected': [{ id: 'fresh', source: 'new' }] },
    at: '/proxy/homeContent',
    fields: {},
    shows: lacks('"id":"fresh"'),
  },
  ...Object.entries(SIZES).map(
    ([name, custom]): Effect => ({
      clause: 'V9-14',
      path: `home.titleSizes.${name}`,
      value: 77,
      shows: ({ html }) => new RegExp(`--title-${custom}[^;]*:[^;]*77px`).test(html),
    }),
  ),

  {
    clause: 'V3-14',
    path: 'catalogue.metadataShown',
    value: 1,
    at: 'film',
    shows: ({ html }) => html.match(/<dt[ >]/g)?.length === 1,
  },
  {
    clause: 'V9-12',
    path: 'catalogue.itemsPerRow',
    value: 1,
    at: 'category',
    shows: ({ html }) => /<ul[^>]*data-per-row="1"/.test(html),
  },
  {
    clause: 'V3-50',
    path: 'catalogue.imageHeights',
    value: [320, 640],
    at: 'film',
    shows: ({ html }) =>
      /\/images\/[\da-f]{32}\/640 \d+w/.test(html) && !/\/images\/[\da-f]{32}\/720 /.test(html),
  },
  {
    clause: 'V3-46',
    path: 'catalogue.shareEnabled',
    value: false,
    at: 'film',
    shows: lacks('Partager'),
  },
  {
    clause: 'V3-53',
    path: 'catalogue.categoryLayout',
    value: 'Inline',
    at: 'category',
    shows: ({ html }) => /<ul[^>]*data-per-row="1"/.test(html),
  },
  {
    clause: 'V3-44',
    path: 'catalogue.getIdCatalogSeries',
    value: 1,
    at: '/series',
    shows: ({ html }) => !/href="\/content\//.test(html),
  },
  {
    clause: 'V7-28',
    path: 'catalogue.related.count',
    value: 0,
    at: 'film',
    shows: lacks('Dans le même esprit'),
  },
  {
    clause: 'V2.4-22',
    path: 'search.filters',
    value: ['all', 'movies'],
    at: '/search/la',
    shows: (seen) => times(seen, /href="\/search\/la\?type=/g) === 1,
  },
  {
    clause: 'V7-27',
    path: 'search.count',
    value: 1,
    at: '/search/la',
    shows: ({ html }) =>
      /<section aria-label="[^"]*">(.*?)<\/section>/s.exec(html)?.[1]?.match(/<li[ >]/g)?.length === 1,
  },
  { path: 'search.enabled', value: false, shows: lacks('<search') },

  {
    clause: 'V2.3-02',
    path: 'guide.epgGridConfiguration.pageActivation',
    value: false,
    at: '/epg',
    shows: leadsTo('/'),
  },
  {
    clause: 'V9-04',
    path: 'guide.epgGridConfiguration.pastDays',
    value: 1,
    at: '/epg',
    shows: (seen) => times(seen, /data-day=/g) === 9,
  },
  {
    clause: 'V9-04',
    path: 'guide.epgGridConfiguration.futureDays',
    value: 1,
    at: '/epg',
    shows: (seen) => times(seen, /data-day=/g) === 5,
  },
  {
    clause: 'V9-04',
    path: 'guide.epgGridConfiguration.timeline',
    value: false,
    at: '/epg',
    shows: (seen) => times(seen, /data-day=/g) === 0,
  },
  {
    clause: 'V2.3-01',
    path: 'guide.channelEventsGuideConfiguration.pageActivation',
    value: false,
    at: '/channel/rive-1/epg',
    shows: leadsTo('/'),
  },
  {
    clause: 'V2.3-04',
    path: 'guide.liveEventsGuideConfiguration.pageActivation',
    value: false,
    at: '/live-events/all',
    shows: leadsTo('/'),
  },

  {
    clause: 'V2.3-05',
    path: 'accounts.isPrivateAccessEnabled',
    value: true,
    shows: leadsTo('/auth/login'),
  },
  {
    clause: 'V1-12',
    path: 'accounts.isMultiProfileEnabled',
    value: false,
    at: '/live',
    signedIn: true,
    shows: lacks('Changer de profil'),
  },
  {
    clause: 'A2.2-03',
    path: 'accounts.isAllowedToRegister',
    value: false,
    at: '/register/informations',
    shows: leadsTo('/auth/login'),
  },
  {
    clause: 'A2.2-04',
    path: 'accounts.resetPassword.mode',
    value: 'external-direct',
    at: '/resetPassword',
    shows: leadsTo('/auth/login'),
  },
  {
    clause: 'A2.1-33',
    path: 'accounts.authentication.mode',
    value: 'sso',
    at: '/account/devices',
    signedIn: true,
    shows: lacks('href="/account/security"'),
  },
  {
    clause: 'A2.1-33',
    path: 'accounts.authentication.accountManagementUrl',
    value: 'https://id.test/me',
    besides: { 'accounts.authentication.mode': 'sso' },
    at: '/account/devices',
    signedIn: true,
    shows: holds('href="https://id.test/me"'),
  },
  {
    clause: 'A2.2-02',
    path: 'offers.isOfferScreenEnable',
    value: false,
    at: '/offers',
    shows: leadsTo('/'),
  },
  {
    clause: 'A2.2-05',
    path: 'downloads.downloadWebEnabled',
    value: true,
    at: '/library/downloads',
    signedIn: true,
    shows: ({ location }) => location === null,
  },
  {
    path: 'settings.errorReporting',
    value: 'https://key@errors.test/7',
    shows: ({ policy }) => policy.includes("connect-src 'self' https://errors.test;"),
  },
]

/** Fields without an effect in a page of the server, and where what they do is seen instead, or comes. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'languages.dateFormats': 'dates of articles, in words.test.ts',
  'navigation.navBar': 'the tab bar of native apps, in shell.test.ts',
  'navigation.virtualRemote': 'the browser, in configuration.test.ts',
  'home.anonymousPage': 'private access, in the tests of the guards and of the anonymous page',
  'catalogue.leavingDays': 'rails of what leaves, in the tests of the catalogue',
  'catalogue.subCategoryLayout': 'pages of categories that have some below them, in the tests of the home',
  'catalogue.categorySort': 'pages of categories, in the tests of the catalogue',
  'catalogue.related.criteria': 'related titles, in the tests of search',
  'catalogue.related.order': 'related titles, in the tests of search',
  'catalogue.aiSummary': 'to come with the panel of summaries',
  'search.itemsPerPage': 'filter searches, in the tests of search',
  'search.suggestions': 'the search box, in configuration.test.ts',
  'search.recent': 'the search box, in configuration.test.ts',
  'guide.epgGridConfiguration.granularity': 'steps of the guide, in the tests of its range',
  'live.channelLiveMode': 'to come with relays of live channels',
  'live.startOverEnabled': 'to come with starting over',
  'live.backToLiveEnabled': 'to come with starting over',
  'live.timeshiftOttConfig': 'to come with timeshift',
  player: 'to come with the whole player',
  'downloads.downloadEnabled': 'native apps, in the tests of the guards',
  downloads: 'to come with downloads',
  'accounts.isSwitchProfileModalEnabled': 'to come with profiles',
  'accounts.isKidProfileCreationEnabled': 'to come with profiles',
  'accounts.isParentalControlEnabled': 'to come with parental control',
  'accounts.levelAges': 'to come with parental control',
  'accounts.deviceCookieDays': 'to come with devices',
  'accounts.resetPassword.url': 'to come with forgotten passwords',
  'accounts.consent': 'to come with consent',
  'accounts.authentication.ssoUrl': 'to come with single sign-on',
  registration: 'to come with making an account',
  offers: 'to come with offers and payment',
  'settings.receiver': 'to come with casting',
  'settings.share-url': 'sharing, in the tests of its modal',
  'settings.settingCustomerId': 'to come with analytics',
  'settings.environmentId': 'to come with analytics',
}
