/** Interval of the polls, in milliseconds. */
export const PURCHASE_POLL_MS = 2000
/** Number of polls, as for the library after a rental (A4.8-08). */
export const PURCHASE_TRIES = 5

/**
 * Polls for a purchase until it has arrived, at most {@link PURCHASE_TRIES} times.
 *
 * @param ask resolves with whether the purchase has arrived
 * @param wait resolves after a number of milliseconds
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
