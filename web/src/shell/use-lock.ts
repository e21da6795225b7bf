import { useCallback, useRef } from 'react'

/**
 * Returns a function that runs `act` and then ignores calls for a while (V4-08), until the animation that `act` starts
 * has ended.
 * @param milliseconds duration of the lock
 */
export function useLocked(act: () => void, milliseconds: number): () => void {
  const free = useRef(0)
  return useCallback(() => {
    const now = performance.now()
    if (now < free.current) return
    free.current = now + milliseconds
    act()
  }, [act, milliseconds])
}
