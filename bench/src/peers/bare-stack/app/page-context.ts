/** Data that the server provides for a page. */
export interface PageContext {
  language: Language
  /** Nonce of the page's scripts. */
  nonce: string
  home(): Promise<readonly Rail[]>
}

export type Language = 'fr' | 'en'

/** A row of titles. */
export interface Rail {
  id: string
  title: string
  /** Address of the page with more titles. */
  path: string | null
  titles: readonly Title[]
}

/** A film, or the current programme of a channel. */
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
  /** The programme's channel, and the elapsed fraction of the programme, from 0 to 1. */
  live: { channel: string; share: number } | null
}

export interface Image {
  url: string
  width: number
  height: number
  /** Placeholder colour, shown until the picture has loaded. */
  color: string
}
