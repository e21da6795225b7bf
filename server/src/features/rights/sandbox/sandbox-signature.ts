import { createHmac, timingSafeEqual } from 'node:crypto'

/** Header with the time and the signature of a notice: `t=1768478400,v1=…`. */
export const SIGNATURE_HEADER = 'sandbox-signature'

/** Validity of a signature, in milliseconds. The limit prevents replays of intercepted notices. */
const TOLERANCE_MS = 5 * 60_000

/** Signs the time and the body of a notice with HMAC-SHA-256. @param now milliseconds since the Unix epoch */
export function signNotice(body: string, secret: string, now: number): string {
  const time = Math.floor(now / 1000)
  return `t=${time},v1=${digestOf(body, secret, time)}`
}

/**
 * Returns whether a notice was signed with the secret, within five minutes of `now` (milliseconds since the Unix
 * epoch).
 */
export function isSigned(body: string, secret: string, signature: string, now: number): boolean {
  const [, time = '', given = ''] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(signature) ?? []
  if (given === '' || Math.abs(now - Number(time) * 1000) > TOLERANCE_MS) return false
  return timingSafeEqual(Buffer.from(given), Buffer.from(digestOf(body, secret, Number(time))))
}

function digestOf(body: string, secret: string, time: number): string {
  return createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
}
