const ANYWHERE = 'http://internal.invalid'

/**
 * `address` if it is a path of this site, else undefined. Where to go back to after signing in comes from the address
 * bar, where anybody may have written it, so that it may lead nowhere else (safety: redirects only inside).
 */
export function internalPath(address: unknown): string | undefined {
  if (typeof address !== 'string' || !/^\/(?![/\\])/.test(address) || /[\\\p{Cc}]/u.test(address))
    return undefined
  const url = URL.parse(address, ANYWHERE)
  return url?.origin === ANYWHERE && !url.pathname.startsWith('//')
    ? url.pathname + url.search + url.hash
    : undefined
}
