import { pathOf } from '../links/content-link.ts'

/** The app's own scheme, by which an identity provider leads back into it (V2.2-11). */
const SCHEME = 'ondine:'

/** Where a token stands in an address: some providers keep it from the servers on the way. */
const TOKEN = 'access_token'

/** A link opened the app and signs nobody in: nobody is told, it is logged (A4.3-02). */
export class DeepLinkError extends Error {
  override readonly name = 'DeepLinkError'
}

/**
 * The page that a link leads to which the app was opened with at the end of a sign-on: the callback, with its token.
 *
 * @throws DeepLinkError for another scheme, and without a token; it does not repeat the link, which may hold a secret
 */
export function signOnPath(link: string): string {
  if (!URL.canParse(link)) throw new DeepLinkError('A link that opened the app is no address.')
  const { protocol, search, hash } = new URL(link)
  if (protocol !== SCHEME)
    throw new DeepLinkError(`A link that opened the app has the scheme ${protocol}, not ${SCHEME}`)
  const token = new URLSearchParams(search).get(TOKEN) || new URLSearchParams(hash.slice(1)).get(TOKEN)
  if (!token) throw new DeepLinkError(`A link that opened the app has no ${TOKEN}.`)
  return `${pathOf('auth-callback')}?${new URLSearchParams({ [TOKEN]: token })}`
}
