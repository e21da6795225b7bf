import type { PushMessage } from '@ondine/contract/push'
import type { CheckedFetch } from '../../../outbound/fetch-checked.ts'
import { isPassingStatus, OutboundError } from '../../../outbound/fetch-outside.ts'
import type { PushKeys } from './push-keys.ts'
import type { Recipient } from './subscriptions.ts'

/** Timeout of a request to a push service, in milliseconds. */
const PATIENCE_MS = 10_000

/** How long a push service keeps a message for a browser that is not running, in seconds. */
const KEPT_SECONDS = 2 * 86_400

/** Statuses with which a push service says that a subscription has ended (RFC 8030, section 7.3). */
const ENDED: ReadonlySet<number> = new Set([404, 410])

/**
 * Result of an attempt. `ended`: the push service no longer knows the subscription. `forbidden`: the address must not be
 * called. `refused`: the push service rejects the message.
 */
type Delivery = 'delivered' | 'ended' | 'forbidden' | 'refused'

/** Sends a message to the push service of a browser. */
export type Deliver = (to: Recipient, message: PushMessage, signal: AbortSignal) => Promise<Delivery>

/**
 * Returns a function that encrypts messages for browsers (RFC 8291), signs the requests (RFC 8292) and sends them.
 * The function throws if another attempt can succeed.
 *
 * @param subject address at which the staff of a push service can reach the operator
 * @param fetch refuses addresses in private networks
 */
export function deliverer(keysOf: () => Promise<PushKeys>, subject: string, fetch: CheckedFetch): Deliver {
  return async ({ endpoint, publicKey, secret }, message, signal) => {
    const { default: webPush } = await import('web-push')
    const keys = await keysOf()
    const { headers, body } = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh: publicKey, auth: secret } },
      JSON.stringify(message),
      {
        vapidDetails: { subject, ...keys },
        contentEncoding: 'aes128gcm',
        TTL: KEPT_SECONDS,
        topic: message.tag,
      },
    )
    const status = await send(fetch, endpoint, { headers: headersOf(headers), body, signal })
    if (status === 'forbidden') return 'forbidden'
    if (ENDED.has(status)) return 'ended'
    if (status >= 200 && status < 300) return 'delivered'
    if (isPassingStatus(status)) throw new Error(`${hostOf(endpoint)} answered with status ${status}.`)
    return 'refused'
  }
}

/** Returns the status of the answer, or `forbidden` if the address must not be called. */
async function send(
  fetch: CheckedFetch,
  endpoint: string,
  { headers, body, signal }: { headers: Record<string, string>; body: Buffer | null; signal: AbortSignal },
): Promise<number | 'forbidden'> {
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    await answer.body?.cancel()
    return answer.status
  } catch (error) {
    const refusal = error instanceof Error && error.cause instanceof OutboundError ? error.cause : error
    if (refusal instanceof OutboundError && refusal.fault !== 'unreachable') return 'forbidden'
    // The address of a subscription is a secret, so errors contain only its host.
    throw new Error(`${hostOf(endpoint)} cannot be reached.`, { cause: error })
  }
}

function headersOf(headers: Record<string, unknown>): Record<string, string> {
  const written = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const)
  // `fetch` adds the length itself.
  return Object.fromEntries(written.filter(([name]) => name !== 'content-length'))
}

export function hostOf(endpoint: string): string {
  return URL.parse(endpoint)?.host ?? 'A push service'
}
