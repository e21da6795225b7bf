/**
 * Interval between the polls of the library, in milliseconds, and in `LIBRARY_POLLS` their maximum number (A4.8-08).
 */
export const LIBRARY_POLL_MS = 2000
export const LIBRARY_POLLS = 5

/**
 * Polls the library until a purchase has arrived there. The first poll is immediate. If the purchase has not arrived
 * after the last poll, `onEnd` is called all the same, because the purchase is paid. A failed poll counts as a poll
 * without the purchase.
 *
 * @returns a function that stops the polls
 */
export function awaitPurchase({
  look,
  onEnd,
}: {
  /** Returns whether the purchase is in the library. */
  look: () => Promise<boolean>
  onEnd: () => void
}): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false
  const next = async (turn: number) => {
    const isThere = await look().catch(() => false)
    if (isOver) return
    if (isThere || turn === LIBRARY_POLLS) onEnd()
    else timer = setTimeout(() => void next(turn + 1), LIBRARY_POLL_MS)
  }
  void next(1)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
