/** Answer of the service at an address: a page, or a redirect. */
export interface Seen {
  status: number
  location: string | null
  html: string
  policy: string
  cookies: string[]
}

/** A field, a value, and a check that a page shows the effect of this value. */
export interface Effect {
  /** The clause that the effect proves, if any. */
  clause?: string
  path: string
  value: unknown
  /** Other fields that must be set to make the effect visible. */
  besides?: Record<string, unknown>
  /**
   * Path of the page, or the name of a page whose path a test finds out: `film` is the page of a film, `category`
   * the category of all films, `rated` the page of a film with an age rating, and `file` the `settings.json` that
   * applications read.
   */
  at?: string
  signedIn?: true
  /** Input of a call that the test makes instead of opening a page. */
  fields?: Record<string, string>
  /** Must return false for the page before the change, and true for the page with the field set. */
  shows(seen: Seen): boolean
}

export const holds = (text: string) => (seen: Seen) => seen.html.includes(text)
/** Checks that a page lacks a text. The status must be 200, because an error page lacks every text. */
export const lacks = (text: string) => (seen: Seen) => seen.status === 200 && !seen.html.includes(text)
export const leadsTo = (path: string) => (seen: Seen) => seen.location?.split('?')[0] === path
export const property = (name: string, value: string) => holds(`--${name}:${value}`)

/** Counts the matches in a page. */
export const times = (seen: Seen, pattern: RegExp) => seen.html.match(pattern)?.length ?? 0
