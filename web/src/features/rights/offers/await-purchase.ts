/** Interval of the polls in milliseconds, and their limit (A4.8-08). */
export const LIBRARY_POLL_MS = 2000
export const LIBRARY_POLLS = 5

/**
 * Polls the library until a purchase has arrived there; the first poll is immediate. The purchase is paid
 * even if it has not arrived after the last poll, so the screen continues in any case. A failed poll counts
 * as not found.
 *
 * @returns a function that stops the polls
 */
export function awaitPurchase({
  look,
  onEnd,
}: {
  /** Resolves with whether the purchase is there. */
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
