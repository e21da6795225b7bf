import { ACCOUNTS } from '@ondine/contract/constants'

/** Renews the viewer's token. Returns false if it cannot be renewed. */
export type Renew = () => Promise<boolean>

/** Makes simultaneous calls share one renewal (A4.4-03). */
export function renewOnce(renew: Renew): Renew {
  let underWay: Promise<boolean> | undefined
  return async () => {
    underWay ??= renew().finally(() => {
      underWay = undefined
    })
    return await underWay
  }
}

/**
 * Returns how long to wait before the renewal of a token, in milliseconds (A4.4-02). The parameters are seconds since
 * the Unix epoch.
 */
export function renewalDelay(expiresAt: number, now: number): number {
  return Math.max(0, expiresAt - ACCOUNTS.tokenRefreshThresholdSeconds - now) * 1000
}
