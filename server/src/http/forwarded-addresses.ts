import type { IncomingHttpHeaders } from 'node:http'

/**
 * Removes the ports from the addresses in `X-Forwarded-For`, and the brackets from IPv6 addresses. Some proxies, such
 * as those of Azure, write `192.0.2.1:49152` or `[2001:db8::1]:49152`. With its port, a client would have a new address
 * for each connection.
 */
export function removePorts(headers: IncomingHttpHeaders): void {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string') return
  headers['x-forwarded-for'] = forwarded.split(',').map(withoutPort).join(',')
}

function withoutPort(written: string): string {
  return written
    .trim()
    .replace(/^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/, '$1')
    .replace(/^\[([^\]]*)\](?::\d{1,5})?$/, '$1')
}
