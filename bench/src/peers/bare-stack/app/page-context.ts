/** What a page is given by the server that asks for it. */
export interface PageContext {
  language: Language
  /** What the scripts of this page are told by. */
  nonce: string
  home(): Promise<readonly Rail[]>
}

export type Language = 'fr' | 'en'

/** Titles that stand beside each other. */
export interface Rail {
  id: string
  title: string
  /** Where there are more of them. */
  path: string | null
  titles: readonly Title[]
}

/** What can be opened: a film, or what is on a channel. */
export interface Title {
  id: number
  path: string
  title: string
  originalTitle: string
  tagline: string
  description: string
  year: number
  durationMinutes: number
  rating: { name: string; minimumAge: number; text: string }
  genres: string[]
  directors: string[]
  actors: string[]
  medias: { id: number; kind: string; audioLanguages: string[]; subtitleLanguages: string[] }[]
  trailer: string | null
  serie: string | null
  images: { poster: Image; background: Image; thumbnail: Image; logo: Image | null }
  categories: string[]
  offers: { id: number; name: string; kind: string; included: boolean }[]
  availability: { state: string; percent: number; from: string; until: string | null }
  viewer: {
    favourite: boolean
    watchedPercent: number
    positionSeconds: number
    locked: boolean
    blurred: boolean
  }
  downloadable: boolean
  adult: boolean
  /** Where it is on, and how much of it is over, from 0 to 1. */
  live: { channel: string; share: number } | null
}

export interface Image {
  url: string
  width: number
  height: number
  /** Stands in its place until it has come. */
  color: string
}
