import { ARTICLES } from '@ondine/contract/editorial'
import { slugWithId } from '@ondine/contract/slugs'
import { isExternal } from '../../../design/buttons/is-external.ts'
import { ROUTES, type RouteName } from '../../../routes.ts'

/**
 * The product's own scheme for links to content. In any text, `ondine-content:vod_asset/12/La Houle` leads to a
 * screen of this site (V2.2-12). An address with any other scheme is external, even with the app's scheme
 * `ondine:` (V2.2-11).
 */
const CONTENT_SCHEME = 'ondine-content:'

/** The target of a link: a screen of this site, or an external address. */
export type Target =
  | { kind: 'internal'; path: string }
  /** `newWindow` says whether the address opens in a new window (V2.2-16). */
  | { kind: 'external'; url: string; newWindow: boolean }

/** Returns the props of a link to a target, in this window or a new one (V2.2-16, V2.2-17). */
export function targetLink(target: Target): { to: string; sameWindow: boolean } {
  return target.kind === 'external'
    ? { to: target.url, sameWindow: !target.newWindow }
    : { to: target.path, sameWindow: true }
}

/** A content link in the form of the editorial system (V2.2-01 to V2.2-06). */
export interface ContentLink {
  kind: string
  id: number
  label: string
  /** The series to which a season belongs. */
  parent?: { id: number; label: string } | undefined
  /** The type of an editorial section. */
  type?: string | undefined
  slug?: string | undefined
}

/** Returns the path of a screen. Optional parameters without a value are omitted. */
export function pathOf(name: RouteName, parameters: Record<string, string> = {}): string {
  const path = ROUTES[name]
    .split('/')
    .flatMap((segment) => {
      if (!segment.startsWith(':')) return [segment]
      const value = parameters[segment.replaceAll(/[:?]/g, '')]
      return value === undefined ? [] : [asSegment(value)]
    })
    .join('/')
  return path === '' ? '/' : path
}

/**
 * Encodes a value as a segment of a path. Browsers resolve the segments `.` and `..`, even encoded ones, so a
 * space is appended to such a value. The search screen removes the space.
 */
function asSegment(value: string): string {
  return encodeURIComponent(value === '.' || value === '..' ? `${value} ` : value)
}

/** Returns the path of a content link (V2.2-01 to V2.2-05, spec 5); undefined for an unknown kind. */
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

/**
 * A content link in one line, with an optional title: `vod_asset/12/La Houle`. The title is the rest of the line,
 * with any slashes. The link to a season has the season's id and the id of its series: `season/52/50/Saison 2`.
 */
const CONTENT_LINK =
  /^(live_channel|live_broadcast|series|season|vod_category|vod_asset|offer)\/(\d+)(?:\/(.*))?$/

/** Link forms that contain an id or a slug (V2.2-05 to V2.2-08). The first form that matches is used. */
const FORMS: readonly [form: RegExp, path: (value: string, slug: string) => string][] = [
  [/^editorial_section\/([^/]+)\/([^/]+)$/, (type, slug) => pathOf('editorial-type-slug', { type, slug })],
  [/^page\/([^/]+)$/, (slug) => pathOf('page-slug', { slug })],
  [/^assets\/(\d+)$/, (slug) => pathOf('assets-slug', { slug })],
  [/^categories\/(\d+)(?:\/index)?$/, (slug) => pathOf('category-slug', { slug })],
  [/^player\/channel\/(\d+)$/, (slug) => pathOf('channel-slug', { slug })],
  [/^(?:editorial|articles)\/([^/]+)$/, (slug) => pathOf('editorial-type-slug', { type: ARTICLES, slug })],
  [/^articles$/, () => pathOf('editorial-type', { type: ARTICLES })],
  [/^offers\/(\d+)$/, (slug) => pathOf('offers-details', { slug })],
]

/**
 * Returns the target of an address in content or in a menu. The address is a link form, the name of a screen, a
 * path of this site, or an external address (V2.2-06 to V2.2-11).
 *
 * @param address the address, with or without the braces of a content link
 * @param where the place of the link. In the footer, external links open in the same window (V2.2-17)
 */
export function resolveAddress(address: string, where: 'content' | 'footer' = 'content'): Target {
  const bare = address.trim().replace(/^\{(.*)\}$/, '$1')
  const content = fromContentLink(bare.startsWith(CONTENT_SCHEME) ? bare.slice(CONTENT_SCHEME.length) : bare)
  if (content !== undefined) return { kind: 'internal', path: content }
  if (isExternal(bare)) return { kind: 'external', url: bare, newWindow: where !== 'footer' }
  const [form = ''] = bare.split(/[?#]/, 1)
  const path =
    FORMS.flatMap(([pattern, toPath]) => {
      const match = pattern.exec(form)
      return match === null ? [] : [toPath(match[1] ?? '', match[2] ?? '')]
    })[0] ?? (Object.hasOwn(ROUTES, form) ? pathOf(form as RouteName) : undefined)
  // The query and the fragment of the address are kept.
  if (path !== undefined) return { kind: 'internal', path: path + bare.slice(form.length) }
  return { kind: 'internal', path: bare.startsWith('/') ? bare : `/${bare}` }
}

function fromContentLink(address: string): string | undefined {
  const [, kind, number, rest = ''] = CONTENT_LINK.exec(address) ?? []
  if (kind === undefined) return undefined
  const isSeason = kind === 'season'
  const [series] = (isSeason && /^\d+(?=\/|$)/.exec(rest)) || []
  return resolveContentLink({
    kind,
    id: Number(number),
    label: isSeason ? '' : rest,
    parent: series === undefined ? undefined : { id: Number(series), label: '' },
  })
}
