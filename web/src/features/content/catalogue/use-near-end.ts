import { type RefObject, useEffect, useRef } from 'react'

/**
 * The end of a list is near when it is within this distance below the window. The distance is large, so that the
 * viewer does not reach the placeholders above the end.
 */
const AHEAD = '2400px'

/** Returns a ref for the element at the end of a list. Calls `reached` each time the element comes near the window. */
export function useNearEnd(reached: () => void): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef(reached)
  useEffect(() => {
    latest.current = reached
  })
  useEffect(() => {
    if (!element.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current()
      },
      { rootMargin: `0px 0px ${AHEAD} 0px` },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return element
}
