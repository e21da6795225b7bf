/** What the service answers at an address: a page, or where it leads instead. */
export interface Seen {
  status: number
  location: string | null
  html: string
  policy: string
  cookies: string[]
}

/** A field, a value, and what of a page shows that it holds. */
export interface Effect {
  /** The clause that it proves, where there is one. */
  clause?: string
  path: string
  value: unknown
  /** What else has to be set so that it can be seen. */
  besides?: Record<string, unknown>
  /** The page; `film` stands for the page of a film, `category` for that of all films, `rated` for the page of a film from an age on, `file` for what applications read of `settings`. */
  at?: string
  signedIn?: true
  /** A call instead of a page: its fields. */
  fields?: Record<string, string>
  /** False for the page as it was, true for the page as the field makes it. */
  shows(seen: Seen): boolean
}

export const holds = (text: string) => (seen: Seen) => seen.html.includes(text)
/** On a page that is there: one that fails lacks everything. */
export const lacks = (text: string) => (seen: Seen) => seen.status === 200 && !seen.html.includes(text)
export const leadsTo = (path: string) => (seen: Seen) => seen.location?.split('?')[0] === path
export const property = (name: string, value: string) => holds(`--${name}:${value}`)

/** How often a page has something. */
export const times = (seen: Seen, pattern: RegExp) => seen.html.match(pattern)?.length ?? 0
