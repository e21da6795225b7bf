import { type Effect, holds, lacks, leadsTo, times } from './effect.ts'

const SIZES = {
  rail: 'rail',
  posterDetail: 'poster-detail',
  poster: 'poster',
  hero: 'hero',
  cover: 'cover',
  totem: 'totem',
  fullscreen: 'fullscreen',
}

/** Effects of home, catalogue, search and guide in the server's page. */
export const SCREEN_EFFECTS: readonly Effect[] = [
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
  ...(['offers', 'dynamic', 'children'] as const).map(
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
    clause: 'V3-32',
    path: 'home.shortRails',
    value: 'hide',
    besides: { 'home.disconnected': [{ id: 'few', source: 'new', limit: 1 }] },
    shows: lacks('data-rail="few"'),
  },
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
    clause: 'V1-10',
    path: 'catalogue.aiSummary.enabled',
    value: true,
    at: 'film',
    shows: holds('La critique retient'),
  },
  ...(
    [
      ['description', false, 'La critique retient'],
      ['sentiments', false, 'fin appuyée'],
      ['criticalReviews', false, 'ne laisse pas une seconde'],
      ['sentimentsLimit', 1, 'fin appuyée'],
      ['criticalReviewsLimit', 0, 'ne laisse pas une seconde'],
    ] as const
  ).map(
    ([name, value, text]): Effect => ({
      clause: 'V3-49',
      path: `catalogue.aiSummary.${name}`,
      value,
      besides: { 'catalogue.aiSummary.enabled': true },
      at: 'film',
      shows: lacks(text),
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
    clause: 'V3-54',
    path: 'catalogue.categorySort',
    value: 'descendant',
    at: 'category',
    // The category has only one film here, so the page cannot show the order itself. The check is which order is
    // selected. Tests of the list calls cover the order.
    shows: ({ html }) => /SelectValue"[^>]*>(?:Titre, de Z à A|Title, Z to A)</.test(html),
  },
  {
    clause: 'V3-44',
    path: 'catalogue.getIdCatalogSeries',
    value: 1,
    at: '/series',
    shows: ({ html }) => /<h1[^>]*>Films</.test(html),
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
      // Counts real items, without placeholders for further ones.
      /<section aria-label="[^"]*">(.*?)<\/section>/s.exec(html)?.[1]?.match(/<li\b(?![^>]*\saria-hidden)/g)
        ?.length === 1,
  },
  { path: 'search.enabled', value: false, shows: lacks('<search') },

  {
    clause: 'V3-55',
    path: 'live.channelLiveMode',
    value: 'broadcast-only',
    at: '/live',
    // All channels of the demonstration are library channels, so the page shows no channel.
    shows: lacks('href="/channel/'),
  },
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
]
