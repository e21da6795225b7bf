/** Interval of the polls, in milliseconds. */
export const PURCHASE_POLL_MS = 2000
/** Maximum number of polls. The library is polled at most as often after a rental (A4.8-08). */
export const PURCHASE_TRIES = 5

/**
 * Polls until a purchase has arrived, at most {@link PURCHASE_TRIES} times. Returns whether it has arrived.
 *
 * @param ask returns whether the purchase has arrived
 * @param wait waits for a number of milliseconds
 */
export async function findPurchase(
  ask: () => Promise<boolean>,
  wait: (milliseconds: number) => Promise<void>,
): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    if (await ask()) return true
    if (tries === PURCHASE_TRIES) return false
    await wait(PURCHASE_POLL_MS)
  }
}
