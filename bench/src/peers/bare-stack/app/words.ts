import { createInstance, type i18n } from 'i18next'
import type { Language } from './page-context.ts'

const FRENCH = {
  name: 'Scène',
  title: '{{name}} · Accueil',
  skip: 'Aller au contenu',
  menu: {
    label: 'Navigation principale',
    home: 'Accueil',
    films: 'Films',
    genres: 'Genres',
    drama: 'Drame',
    adventure: 'Aventure',
    documentary: 'Documentaire',
    comedy: 'Comédie',
    live: 'Direct',
    guide: 'Guide',
    open: 'Ouvrir le menu',
  },
  search: { open: 'Ouvrir la recherche', label: 'Rechercher', hint: 'Titres, personnes, chaînes' },
  signIn: 'Se connecter',
  card: { minutes: '{{minutes}} min', live: 'Direct' },
  rail: { all: 'Tout voir', allOf: 'Tout voir : {{title}}' },
  highlights: {
    label: 'À la une',
    kind: 'Film · Nouveau',
    show: 'Montrer {{title}}',
    pause: 'Arrêter le défilement',
    audio: 'Audio : {{languages}}',
    watch: 'Se connecter pour regarder {{title}}',
    more: "Plus d'infos",
    moreOf: "Plus d'infos : {{title}}",
  },
  footer: {
    discover: 'Découvrir',
    all: 'Tout le catalogue',
    categories: 'Toutes les rubriques',
    account: 'Compte',
    offers: 'Offres',
    devices: 'Appareils',
    language: 'Langue',
    rights: '© {{year}} Scène. Tous droits réservés.',
    works: 'Les œuvres appartiennent à leurs auteurs et à leurs ayants droit.',
  },
}

const ENGLISH: typeof FRENCH = {
  name: 'Scène',
  title: '{{name}} · Home',
  skip: 'Skip to content',
  menu: {
    label: 'Main navigation',
    home: 'Home',
    films: 'Films',
    genres: 'Genres',
    drama: 'Drama',
    adventure: 'Adventure',
    documentary: 'Documentary',
    comedy: 'Comedy',
    live: 'Live',
    guide: 'Guide',
    open: 'Open the menu',
  },
  search: { open: 'Open search', label: 'Search', hint: 'Titles, people, channels' },
  signIn: 'Sign in',
  card: { minutes: '{{minutes}} min', live: 'Live' },
  rail: { all: 'See all', allOf: 'See all: {{title}}' },
  highlights: {
    label: 'Highlights',
    kind: 'Film · New',
    show: 'Show {{title}}',
    pause: 'Stop moving on',
    audio: 'Audio: {{languages}}',
    watch: 'Sign in to watch {{title}}',
    more: 'More',
    moreOf: 'More about {{title}}',
  },
  footer: {
    discover: 'Discover',
    all: 'The whole catalogue',
    categories: 'All categories',
    account: 'Account',
    offers: 'Offers',
    devices: 'Devices',
    language: 'Language',
    rights: '© {{year}} Scène. All rights reserved.',
    works: 'The works belong to their authors and their assigns.',
  },
}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof FRENCH }
  }
}

/** The texts of each language. Each instance has a fixed language. */
export const WORDS: Readonly<Record<Language, i18n>> = {
  fr: instance('fr', FRENCH),
  en: instance('en', ENGLISH),
}

function instance(language: Language, translation: typeof FRENCH): i18n {
  const created = createInstance({
    lng: language,
    resources: { [language]: { translation } },
    interpolation: { escapeValue: false },
    initAsync: false,
    react: { useSuspense: false },
  })
  void created.init()
  return created
}
