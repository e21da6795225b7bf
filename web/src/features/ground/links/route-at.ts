import { ALIASES, ROUTES, type RouteName } from '../../../routes.ts'

/** The screen of an address, and its parameters. */
export interface RouteAt {
  name: RouteName
  parameters: Readonly<Record<string, string>>
}

/** Screens that have a second address (V2.1, spec 2), by the second address. */
const ALIASED: Readonly<Record<string, RouteName>> = {
  [ALIASES['home-alias']]: 'home',
  [ALIASES['auth-callback-alias']]: 'auth-callback',
}

// The table lists routes with fixed segments before routes with parameters (spec 3), so the first matching pattern
// is the right one.
const PATTERNS = (Object.keys(ROUTES) as RouteName[]).map((name) => ({
  name,
  pattern: patternOf(ROUTES[name]),
}))

/**
 * Returns the screen at a path of this site; undefined for an address without a screen (V2.1-27). Ignores the case of
 * fixed segments, as the router does.
 */
export function routeAt(pathname: string): RouteAt | undefined {
  const path = pathname.length > 1 ? pathname.replace(/\/+$/, '') || '/' : pathname
  const alias = ALIASED[path.toLowerCase()]
  if (alias !== undefined) return { name: alias, parameters: {} }
  for (const { name, pattern } of PATTERNS) {
    const match = pattern.exec(path)
    if (match !== null) return { name, parameters: decoded(match.groups ?? {}) }
  }
  return undefined
}

function patternOf(path: string): RegExp {
  const segments = path.split('/').filter((segment) => segment !== '')
  const parts = segments.map((segment) => {
    const [, name, optional] = /^:(\w+)(\?)?$/.exec(segment) ?? []
    if (name === undefined) return `/${segment}`
    return optional === undefined ? `/(?<${name}>[^/]+)` : `(?:/(?<${name}>[^/]+))?`
  })
  return new RegExp(`^${parts.join('') || '/'}$`, 'i')
}

function decoded(groups: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([name, value]) => (value === undefined ? [] : [[name, plain(value)]])),
  )
}

/** Decodes the percent-encoded characters of a segment. Returns a segment with a malformed encoding unchanged. */
function plain(segment: string): string {
  return /%(?![0-9a-f]{2})/i.test(segment) ? segment : segment.replaceAll(/(?:%[0-9a-f]{2})+/gi, utf8)
}

function utf8(escapes: string): string {
  const bytes = Uint8Array.from(escapes.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))
  return new TextDecoder().decode(bytes)
}
