import { ACCOUNTS } from '@ondine/contract/constants'

/** What renews the token of who is signed in; false when it could not. */
export type Renew = () => Promise<boolean>

/** However many calls need a new token at once, one is asked for (A4.4-03). */
export function renewOnce(renew: Renew): Renew {
  let underWay: Promise<boolean> | undefined
  return async () => {
    underWay ??= renew().finally(() => {
      underWay = undefined
    })
    return await underWay
  }
}

/** How long a token may still be used before it is renewed, in milliseconds (A4.4-02). Times are seconds since the epoch. */
export function renewalDelay(expiresAt: number, now: number): number {
  return Math.max(0, expiresAt - ACCOUNTS.tokenRefreshThresholdSeconds - now) * 1000
}
