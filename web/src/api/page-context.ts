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

/** What of an answer the web reads. */
export type ApiAnswer = Pick<Response, 'ok' | 'status' | 'json'>

/** Makes a call of the service from inside the service: no socket, with the cookies of the page's own request. */
export type ApiFetch = (path: string, call: ApiCall) => Promise<ApiAnswer>

/** What a page must know before it asks the service anything. Server and browser work with the same values. */
export interface PageEnvironment {
  language: Language
  /** How the addresses of this page say its language, if they do. */
  prefix: LanguagePrefix
  /** IANA name of the zone that times are shown in. */
  timeZone: string
  /** Names the storefront in every call (`x-identity-key`). */
  identityKey: string
  /** Scheme and host of this site, for canonical addresses. */
  origin: string
  /** Which of the random orders this visit has (V3-54). */
  shuffle: number
  /** The order of lists that viewers of this browser chose last, by the name of {@link sortCookie}. */
  sorts: Readonly<Record<string, SortOption>>
  /** Where the texts of the page are: an address that never holds others. */
  wordsAddress: string
}

/** Name of the cookie that keeps a viewer's order: of a profile, or of whoever is not signed in. */
export function sortCookie(profileId: number | null): string {
  return `sort_${profileId ?? 'visitor'}`
}

/** The orders among the cookies of a browser. What is none of them is left out. */
export function sortsOf(cookies: Iterable<readonly [name: string, value: string | undefined]>) {
  const sorts: Record<string, SortOption> = {}
  for (const [name, value] of cookies) {
    const known = SORT_OPTIONS.find((option) => option === value)
    if (/^sort_(?:visitor|\d{1,10})$/.test(name) && known !== undefined) sorts[name] = known
  }
  return sorts
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
}
