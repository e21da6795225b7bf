/** Between two looks into the library, and how many there are at most (A4.8-08). */
export const LIBRARY_POLL_MS = 2000
export const LIBRARY_POLLS = 5

/**
 * Looks into the library until a purchase has arrived there, first at once. What is not there at the end has been paid all the same:
 * the screen goes on either way. A look that fails counts as one that found nothing.
 *
 * @returns how to end it
 */
export function awaitPurchase({
  look,
  onEnd,
}: {
  /** Whether it is there. */
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
