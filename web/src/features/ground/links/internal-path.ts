const ANYWHERE = 'http://internal.invalid'

/**
 * Returns `address` if it is a path of this site, else undefined. The address of the sign-in page has a query string
 * with the address to open after the sign-in. Anybody can write such a link, so the opened address must not lead to
 * another site (no open redirects).
 */
export function internalPath(address: unknown): string | undefined {
  if (typeof address !== 'string' || !/^\/(?![/\\])/.test(address) || /[\\\p{Cc}]/u.test(address))
    return undefined
  const url = URL.parse(address, ANYWHERE)
  return url?.origin === ANYWHERE && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : undefined
}
