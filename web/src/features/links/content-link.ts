import { slugWithId } from '@ondine/contract/slugs'
import { ROUTES, type RouteName } from '../../routes.ts'

/** Where a link leads: a screen of this site, or another address. */
export type Target =
  | { kind: 'internal'; path: string }
  /** `newWindow` says whether it opens beside this page (V2.2-16). */
  | { kind: 'external'; url: string; newWindow: boolean }

/** What a content link points at, as the editorial side writes it (V2.2-01 to V2.2-06). */
export interface ContentLink {
  kind: string
  id: number
  label: string
  /** A season's series. */
  parent?: { id: number; label: string } | undefined
  /** Of an editorial section. */
  type?: string | undefined
  slug?: string | undefined
}

/** The path of a screen. Parameters that may be left out fall away when they are not given. */
export function pathOf(name: RouteName, parameters: Record<string, string> = {}): string {
  const path = ROUTES[name]
    .split('/')
    .flatMap((segment) => {
      if (!segment.startsWith(':')) return [segment]
      const value = parameters[segment.replaceAll(/[:?]/g, '')]
      return value === undefined ? [] : [encodeURIComponent(value)]
    })
    .join('/')
  return path === '' ? '/' : path
}

/** Where a content link of a kind leads (V2.2-01 to V2.2-05, decision 5); undefined for a kind that is not known. */
export function resolveContentLink(link: ContentLink): string | undefined {
  const slug = slugWithId(link.label, link.id)
  switch (link.kind) {
    case 'live_channel':
      return pathOf('channel-slug', { slug })
    case 'live_broadcast':
      return pathOf('epg-slug', { slug })
    case 'series':
      return pathOf('categories-slug-details', { slug })
    case 'season': {
      const series = link.parent === undefined ? slug : slugWithId(link.parent.label, link.parent.id)
      return `${pathOf('categories-slug-details', { slug: series })}?seasonid=${link.id}`
    }
    case 'vod_category':
      return pathOf('category-slug', { slug })
    case 'vod_asset':
      return pathOf('assets-slug', { slug })
    case 'editorial_section':
      return link.type === undefined || link.slug === undefined
        ? undefined
        : pathOf('editorial-type-slug', { type: link.type, slug: link.slug })
    case 'offer':
      return pathOf('offers')
    default:
      return undefined
  }
}

/** Link forms that carry an identifier or a slug (V2.2-06 to V2.2-08), the first that fits. */
const FORMS: readonly [form: RegExp, path: (value: string) => string][] = [
  [/^page\/([^/]+)$/, (slug) => pathOf('page-slug', { slug })],
  [/^assets\/(\d+)$/, (slug) => pathOf('assets-slug', { slug })],
  [/^categories\/(\d+)(?:\/index)?$/, (slug) => pathOf('category-slug', { slug })],
  [/^player\/channel\/(\d+)$/, (slug) => pathOf('channel-slug', { slug })],
  [/^(?:editorial|articles)\/([^/]+)$/, (slug) => pathOf('editorial-type-slug', { type: 'articles', slug })],
  [/^articles$/, () => pathOf('editorial-type', { type: 'articles' })],
  [/^offers\/(\d+)$/, (slug) => pathOf('offers-details', { slug })],
]

/**
 * Where an address written in content or in a menu leads: a known link form, the name of a screen, a path of this
 * site, or another address (V2.2-06 to V2.2-11).
 *
 * @param address the address, with or without the braces of a content link
 * @param where in the footer external links stay in the same window (V2.2-17)
 */
export function resolveAddress(address: string, where: 'content' | 'footer' = 'content'): Target {
  const bare = address.trim().replace(/^\{(.*)\}$/, '$1')
  if (isExternal(bare)) return { kind: 'external', url: bare, newWindow: where !== 'footer' }
  const form = FORMS.flatMap(([pattern, path]) => {
    const match = pattern.exec(bare)
    return match === null ? [] : [path(match[1] ?? '')]
  })[0]
  if (form !== undefined) return { kind: 'internal', path: form }
  if (Object.hasOwn(ROUTES, bare)) return { kind: 'internal', path: pathOf(bare as RouteName) }
  return { kind: 'internal', path: bare.startsWith('/') ? bare : `/${bare}` }
}

/** The path or address of a tab bar's reference (V2.2-10, V2.2-11): `/` is home. */
export function resolveTabReference(reference: string): Target {
  return reference === '/' ? { kind: 'internal', path: '/home' } : resolveAddress(reference)
}

/** External is what begins with a scheme, the product's own included; never what contains one (decision 6). */
function isExternal(address: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(address) || address.startsWith('//')
}
