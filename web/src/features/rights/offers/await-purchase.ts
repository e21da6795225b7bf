/**
 * Interval between polls of the library, in milliseconds. `LIBRARY_POLLS` is the maximum number of polls
 * (A4.8-08).
 */
const LIBRARY_POLL_MS = 2000
const LIBRARY_POLLS = 5

/**
 * Polls the library until it contains a purchase. The first poll is immediate. After the last poll, `onEnd` is
 * called even without the purchase in the library, because the purchase is paid. A failed poll counts as a poll
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
