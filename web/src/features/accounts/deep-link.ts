import { APP_SCHEME } from '@ondine/contract/constants'
import { pathOf } from '../links/content-link.ts'

/** What the address says besides: the token, and the `state` that the sign-in page was given. */
const TOKEN = 'access_token'
const STATE = 'state'

/** A link opened the app and signs nobody in: nobody is told, it is logged (A4.3-02). */
export class DeepLinkError extends Error {
  override readonly name = 'DeepLinkError'
}

/**
 * The page that a link leads to which the app was opened with at the end of a sign-on: the callback, with its token and `state`.
 *
 * @throws DeepLinkError for another scheme, and without a token; it does not repeat the link, which may hold a secret
 */
export function signOnPath(link: string): string {
  if (!URL.canParse(link)) throw new DeepLinkError('A link that opened the app is no address.')
  const { protocol, search, hash } = new URL(link)
  if (protocol !== APP_SCHEME)
    throw new DeepLinkError(`A link that opened the app has the scheme ${protocol}, not ${APP_SCHEME}`)
  // Some sign-in pages keep both from the servers on the way.
  const said = (name: string) =>
    new URLSearchParams(search).get(name) || new URLSearchParams(hash.slice(1)).get(name)
  const [token, state] = [said(TOKEN), said(STATE)]
  if (!token) throw new DeepLinkError(`A link that opened the app has no ${TOKEN}.`)
  const query = new URLSearchParams({ [TOKEN]: token, ...(state ? { [STATE]: state } : {}) })
  return `${pathOf('auth-callback')}?${query}`
}
