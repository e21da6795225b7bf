import { APP_SCHEME } from '@ondine/contract/constants'
import { LANGUAGES } from '@ondine/contract/languages'
import { languageInPath, prefixOf, withoutPrefix } from '../../../api/language-prefix.ts'
import { pathOf, resolveAddress } from '../../ground/links/content-link.ts'
import { internalPath } from '../../ground/links/internal-path.ts'
import { routeAt } from '../../ground/links/route-at.ts'

/** Parameters of the link: the token, and the `state` that the app has sent to the sign-in page. */
const TOKEN = 'access_token'
const STATE = 'state'

/** Paths of the links with which a sign-on leads back to the app, in the app's scheme. */
const SIGN_ON = /^\/(?:auth(?:\/callback)?|oauth\/generic\/callback)\/?$/

/** Thrown for a link that opened the app but leads to no page. Logged, and not shown to the viewer (A4.3-02). */
export class DeepLinkError extends Error {
  override readonly name = 'DeepLinkError'
}

/**
 * Returns the path of the page that a link opens in the app. The link is the address of a page of this site. Or it is a
 * path or any other link form in the app's scheme, such as `ondine://live` or `ondine://assets/12` (V1-13, V2.2-07). A
 * language at the beginning of the path is removed, because the app keeps its own language.
 *
 * @param origin origin of the service
 * @throws DeepLinkError for a link to another site. The message does not contain the link, which may contain a
 * secret
 */
export function pathOfLink(link: string, origin: string): string {
  const url = URL.parse(link)
  if (url === null) throw new DeepLinkError('A link that opened the app is no address.')
  const { protocol, host, pathname, search, hash } = url
  const isOwnScheme = protocol === APP_SCHEME
  const written = isOwnScheme && host !== '' ? `/${host}${pathname}` : pathname
  const address = written.startsWith('/') ? written : `/${written}`
  if (isOwnScheme && SIGN_ON.test(address)) return signOnPath(link)
  if (!isOwnScheme && url.origin !== origin)
    throw new DeepLinkError(
      `A link that opened the app has the scheme ${protocol} and belongs to another site.`,
    )
  const path = internalPath(`${withoutLanguage(address)}${search}${hash}`)
  const [page = ''] = path?.split(/[?#]/, 1) ?? []
  // The page of a series without a title in its address also has the form of a content link.
  const isSeriesPage = routeAt(page)?.name === 'categories-slug-details'
  const target =
    isOwnScheme && path !== undefined && !isSeriesPage ? resolveAddress(page.slice(1)) : undefined
  if (path === undefined || target?.kind === 'external')
    throw new DeepLinkError('A link that opened the app has no path of this site.')
  if (target === undefined) return path
  const query = path.slice(page.length)
  return target.path + (target.path.includes('?') ? query.replace('?', '&') : query)
}

function withoutLanguage(path: string): string {
  const language = languageInPath(path, LANGUAGES)
  return language === undefined ? path : withoutPrefix(path, { path: prefixOf(language), atRoot: true })
}

/**
 * Returns the path of the page that completes a sign-on in the app. `link` is the link that opened the app after
 * the sign-on. The path contains the token and the `state` of the link.
 *
 * @throws DeepLinkError if the link has another scheme or no token. The message does not contain the link, which
 * may contain a secret
 */
export function signOnPath(link: string): string {
  if (!URL.canParse(link)) throw new DeepLinkError('A link that opened the app is no address.')
  const url = new URL(link)
  const { protocol } = url
  if (protocol !== APP_SCHEME)
    throw new DeepLinkError(`A link that opened the app has the scheme ${protocol}, not ${APP_SCHEME}`)
  const query = tokenQuery(url)
  if (query === undefined) throw new DeepLinkError(`A link that opened the app has no ${TOKEN}.`)
  return `${pathOf('auth-callback')}${query}`
}

/**
 * Returns the query string with the token of a sign-on and its `state`; undefined without a token. Each may be in the
 * query string of the address or in its fragment, into which some sign-in pages put them.
 */
export function tokenQuery({ search, hash }: Pick<URL, 'search' | 'hash'>): string | undefined {
  const said = (name: string) =>
    new URLSearchParams(search).get(name) || new URLSearchParams(hash.slice(1)).get(name)
  const [token, state] = [said(TOKEN), said(STATE)]
  if (!token) return undefined
  return `?${new URLSearchParams({ [TOKEN]: token, ...(state ? { [STATE]: state } : {}) })}`
}
