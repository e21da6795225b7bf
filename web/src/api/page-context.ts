import type { SortOption } from '@ondine/contract/catalogue'
import type { Configuration } from '@ondine/contract/configuration'
import { SORT_OPTIONS } from '@ondine/contract/configuration-values'
import type { Language } from '@ondine/contract/languages'
import type { CatalogueTexts } from '@ondine/contract/words'
import type { LanguagePrefix } from './language-prefix.ts'

/** A call as the web makes it: what `fetch` would be given, no more. */
export interface ApiCall {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  headers: Readonly<Record<string, string>>
  /** Form fields, or a text whose type a header names. */
  body?: URLSearchParams | string
}

/** What of an answer the web reads. Files are fetched in the browser alone. */
export type ApiAnswer = Pick<Response, 'ok' | 'status' | 'json'> & Partial<Pick<Response, 'arrayBuffer'>>

/** Makes a call of the service from inside the service: no socket, with the cookies of the page's own request. */
export type ApiFetch = (path: string, call: ApiCall) => Promise<ApiAnswer>

/** Some bytes of a page. Those that other pages have too bear nothing of this one, such as its nonce, and are not written into. */
export interface PagePiece {
  bytes: Buffer
  shared: boolean
}

/** What a page must know before it asks the service anything. Server and browser work with the same values. */
export interface PageEnvironment {
  language: Language
  /** How the addresses of this page say its language, if they do. */
  prefix: LanguagePrefix
  /** IANA name of the zone that times are shown in. */
  timeZone: string
  /** Names the storefront in every call (`x-identity-key`). */
  identityKey: string
  /** Scheme and host of this site, for addresses that must be complete. */
  origin: string
  /** False when only the request names the origin: search engines and other sites are then not told of it. */
  isKnownOrigin: boolean
  /** Which of the random orders this visit has (V3-54). */
  shuffle: number
  /** The order of lists that whoever is not signed in chose last in this browser. */
  sort: SortOption | undefined
  /** Where the texts of the page are: an address that never holds others. */
  wordsAddress: string
}

/** The cookie that keeps the order which whoever is not signed in chose. A profile's is kept with it. */
export const SORT_COOKIE = 'sort_visitor'

/** The order that a cookie says, if it says one. */
export function sortOf(cookie: string | undefined): SortOption | undefined {
  return SORT_OPTIONS.find((option) => option === cookie)
}

/** A configuration, and how it is known whether there is a newer one. */
export interface ConfigurationState {
  configuration: Configuration
  /** The entity tag of `revisions.json`: another one after every change that an operator makes. */
  tag: string
  /** What `revisions.json` said: the newest revision of each of the storefront's documents. */
  revisions: Record<string, number>
}

/** What the server gives a request for a page. */
export interface PageContext extends PageEnvironment {
  apiFetch: ApiFetch
  /** The storefront's configuration, so that no page has to ask for it (V4-01). */
  configuration: ConfigurationState
  /** The texts of the page's language: the same object until one of them changes. */
  texts: CatalogueTexts
  /** Allows this page's own scripts and styles under the content security policy. */
  nonce: string
  /**
   * Takes the document when it is drawn: it goes out as it is, without the detour of a response's stream. Some of its pieces are
   * those of other pages too.
   */
  deliver: (document: readonly PagePiece[]) => void
}
