import type { SortOption } from '@ondine/contract/catalogue'
import type { Configuration } from '@ondine/contract/configuration'
import { SORT_OPTIONS } from '@ondine/contract/configuration-values'
import type { Language } from '@ondine/contract/languages'
import type { Operation } from '@ondine/contract/operation'
import type { CatalogueTexts } from '@ondine/contract/words'
import type { LanguagePrefix } from './language-prefix.ts'

/** A call of the web. */
export interface ApiCall {
  method: Operation['method']
  /** The path in the contract, such as `/proxy/epg/event/:idChannel/:idEvent`. */
  path: string
  fields: [name: string, value: string][]
  /** API key of the storefront. */
  identityKey: string
  /** W3C trace context of the call. */
  traceparent?: string
}

/** The members of a response that the web reads. Only the browser fetches files. */
export type ApiAnswer = Pick<Response, 'ok' | 'status' | 'json'> & Partial<Pick<Response, 'arrayBuffer'>>

/** Calls the service in-process, without a socket, with the cookies of the page's request. */
export type ApiFetch = (call: ApiCall) => Promise<ApiAnswer>

/** The settings that a page needs before its first call. Server and browser use the same values. */
export interface PageEnvironment {
  language: Language
  /** How the addresses of this page contain its language. */
  prefix: LanguagePrefix
  /** IANA name of the time zone for displayed times. */
  timeZone: string
  /** Identifies the storefront in every call (`x-identity-key`). */
  identityKey: string
  /** Scheme and host of this site, for absolute addresses. */
  origin: string
  /**
   * False when the origin comes only from the request. The page then does not give the origin to search engines
   * and other sites.
   */
  isKnownOrigin: boolean
  /** The seed of the random order of this visit (V3-54). */
  shuffle: number
  /** The list order that a signed-out viewer chose last in this browser. */
  sort: SortOption | undefined
  /** Address of the page's texts. The content at this address never changes. */
  wordsAddress: string
}

/** The cookie with the seed of the visit's random order (V3-54), which the browser sets. */
export const VISIT_COOKIE = 'visit'

/** The cookie with the id of this browser as a device (V7-34), which the service sets. */
export const DEVICE_COOKIE = 'device'

/** The cookie with the language that the viewer chose. */
export const LANGUAGE_COOKIE = 'language'

/** The cookie with the list order of a signed-out viewer. A profile stores its own order. */
export const SORT_COOKIE = 'sort_visitor'

/** The cookie that remembers whether this browser has the layout of a television: `1` or `0`. */
export const TELEVISION_COOKIE = 'television'

/** Returns the list order of a cookie value, if it is valid. */
export function sortOf(cookie: string | undefined): SortOption | undefined {
  return SORT_OPTIONS.find((option) => option === cookie)
}

/** A configuration, with the data that tells a page whether a newer one exists. */
export interface ConfigurationState {
  configuration: Configuration
  /** The entity tag of `revisions.json`, which changes with every change by an operator. */
  tag: string
  /** The content of `revisions.json`: the newest revision of each of the storefront's documents. */
  revisions: Record<string, number>
}

/** The data that the server provides to a page request. */
export interface PageContext extends PageEnvironment {
  apiFetch: ApiFetch
  /** The storefront's configuration, so that no page has to request it (V4-01). */
  configuration: ConfigurationState
  /** The texts of the page's language. The object stays the same until a text changes. */
  texts: CatalogueTexts
  /** Whether the page has the layout of a television. */
  television: boolean
  /** Sends the rendered document in one piece, without a response stream. */
  deliver: (document: Buffer<ArrayBuffer>) => void
}
