import type { Agent, RequestInit, Response } from 'undici'
import { checkedLookup, parseAddress } from './fetch-outside.ts'

/** Takes an address and what to ask it, and gives its answer, as `fetch` does. */
export type CheckedFetch = (address: string, init: RequestInit) => Promise<Response>

/** Most bytes of an answer: what is spoken with other services is small. */
const MAX_BYTES = 1_000_000

/**
 * `fetch` for what other libraries speak with services of the operator's choice, by the rules of `fetchOutside`: the address is
 * checked after name resolution. Redirects are not followed.
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
