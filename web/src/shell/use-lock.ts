import { useCallback, useRef } from 'react'

/**
 * Returns a function that runs `act`, and then ignores calls until the animation that `act` starts has ended
 * (V4-08).
 * @param milliseconds time during which calls are ignored
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
