import type { Agent, RequestInit, Response } from 'undici'
import { checkedLookup, parseAddress } from './fetch-outside.ts'

/** Fetches an address, as `fetch` does. */
export type CheckedFetch = (address: string, init: RequestInit) => Promise<Response>

/** Maximum size of an answer, in bytes. Messages between services are small. */
const MAX_BYTES = 1_000_000

/**
 * Returns a `fetch` for libraries that call services of the operator's choice. As in `fetchOutside`, the address
 * is checked after name resolution. Redirects are not followed.
 */
export function checkedFetch(allow: readonly string[]): CheckedFetch {
  let dispatcher: Agent | undefined
  return async (address, init) => {
    const url = parseAddress(address, allow)
    const { Agent, fetch } = await import('undici')
    dispatcher ??= new Agent({ connect: { lookup: checkedLookup(allow) }, maxResponseSize: MAX_BYTES })
    return await fetch(url, { ...init, dispatcher, redirect: 'manual' })
  }
}
