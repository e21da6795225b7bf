/**
 * Where this site is, for addresses that must be complete: the host of the request, by the protocol that a proxy
 * forwards, else https, or http on this machine (V2.3-07). A host that is none gives an empty origin.
 */
export function siteOrigin(headers: {
  host?: string | undefined
  forwardedProtocol?: string | undefined
}): string {
  const host = headers.host ?? ''
  if (!/^(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::\d{1,5})?$/i.test(host)) return ''
  const forwarded = headers.forwardedProtocol?.split(',')[0]?.trim()
  if (forwarded === 'http' || forwarded === 'https') return `${forwarded}://${host}`
  return `${isThisMachine(host) ? 'http' : 'https'}://${host}`
}

function isThisMachine(host: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::|$)/i.test(host)
}
