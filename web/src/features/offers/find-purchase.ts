/** Between two questions whether a purchase has come. */
export const PURCHASE_POLL_MS = 2000
/** So often it is asked for, as the library is after a rental (A4.8-08). */
export const PURCHASE_TRIES = 5

/**
 * Asks for a purchase until it is there, a few times at most.
 *
 * @param ask whether it is there
 * @param wait resolves after so many milliseconds
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
