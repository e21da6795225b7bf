import type { Image, Rail, Title } from './app/page-context.ts'

const PICTURES = 6
const HIGHLIGHTS = 5
const CHANNELS = 4
const FILMS = 16
const GENRES = ['Drame', 'Aventure', 'Documentaire', 'Comédie']

/**
 * Content of home. It has as many rails and titles as the installation in the row `home-page`. Titles share no
 * objects, as in a parsed answer.
 */
export const RAILS: readonly Rail[] = [
  { id: 'highlights', title: 'À la une', path: null, titles: films().slice(0, HIGHLIGHTS) },
  { id: 'live', title: 'En direct', path: null, titles: films().slice(-CHANNELS).map(onChannel) },
  { id: 'films', title: 'Films', path: '/category/films', titles: films() },
  ...GENRES.map((genre) => ({
    id: genre,
    title: genre,
    path: `/category/${genre.toLowerCase()}`,
    titles: films().filter(({ genres }) => genres.includes(genre)),
  })),
]

function films(): Title[] {
  return Array.from({ length: FILMS }, (_, index) => film(index + 1))
}

function onChannel(title: Title, index: number): Title {
  return {
    ...title,
    path: `/channel/chaine-${index + 1}`,
    live: { channel: `Chaîne ${index + 1}`, share: 0.4 },
  }
}

/** Returns a title with as many bytes as an asset of the service. */
function film(number: number): Title {
  const background = () => picture(`background-${number % PICTURES}`, 1920, 1080)
  return {
    id: number,
    path: `/content/film-${number}`,
    title: `Film ${number}`,
    originalTitle: `Film ${number}`,
    tagline: '',
    description: `Ce que l'on dit de « Film ${number} », en une ou deux phrases, pour la fiche.`,
    year: 2026,
    durationMinutes: 108,
    rating: { name: 'TP', minimumAge: 0, text: 'Tous publics' },
    genres: [GENRES[number % GENRES.length] ?? ''],
    directors: ['Camille Delmas'],
    actors: ['Alix Moreau', 'Maxime Roche'],
    medias: [{ id: number, kind: 'main', audioLanguages: ['fra', 'eng'], subtitleLanguages: ['fra'] }],
    trailer: null,
    serie: null,
    images: {
      poster: picture(`poster-${number % PICTURES}`, 720, 1080),
      background: background(),
      thumbnail: background(),
      logo: null,
    },
    categories: ['/films', `/films/genre-${number % GENRES.length}`],
    offers: [{ id: 1, name: 'Tout', kind: 'subscription', included: false }],
    availability: { state: 'ready', percent: 100, from: '2026-11-20T00:00:00Z', until: null },
    viewer: { favourite: false, watchedPercent: 0, positionSeconds: 0, locked: false, blurred: false },
    downloadable: false,
    adult: false,
    live: null,
  }
}

function picture(name: string, width: number, height: number): Image {
  return { url: `/images/${name.padEnd(32, '0')}`, width, height, color: '#826d6f' }
}
