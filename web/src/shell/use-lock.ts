import { useCallback, useRef } from 'react'

/**
 * An act that cannot be done again for a while (V4-08): what it moves has to arrive first.
 *
 * @param milliseconds for how long
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
