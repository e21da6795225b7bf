/** Answer of the service at an address: a page, or a redirect. */
export interface Seen {
  status: number
  location: string | null
  html: string
  policy: string
  cookies: string[]
}

/** A field, a value, and a check that the page shows its effect. */
export interface Effect {
  /** The clause that the effect proves, if any. */
  clause?: string
  path: string
  value: unknown
  /** Other fields that must be set to make the effect visible. */
  besides?: Record<string, unknown>
  /**
   * The page. `film` stands for the page of a film, `category` for the page of all films, `rated` for the page of a film
   * with an age rating, `file` for the `settings` that applications read.
   */
  at?: string
  signedIn?: true
  /** Fields of a call instead of a page. */
  fields?: Record<string, string>
  /** False for the page before the change, true for the page with the field set. */
  shows(seen: Seen): boolean
}

export const holds = (text: string) => (seen: Seen) => seen.html.includes(text)
/** Checks that an existing page lacks a text. A failed page lacks every text. */
export const lacks = (text: string) => (seen: Seen) => seen.status === 200 && !seen.html.includes(text)
export const leadsTo = (path: string) => (seen: Seen) => seen.location?.split('?')[0] === path
export const property = (name: string, value: string) => holds(`--${name}:${value}`)

/** Counts the matches in a page. */
export const times = (seen: Seen, pattern: RegExp) => seen.html.match(pattern)?.length ?? 0
