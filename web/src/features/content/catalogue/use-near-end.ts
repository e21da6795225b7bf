import { type RefObject, useEffect, useRef } from 'react'

/**
 * Distance below the window at which the end counts as near. It is large, because placeholders stand before the
 * end.
 */
const AHEAD = '2400px'

/** Calls `reached` each time the element approaches the window, and again while it stays there. */
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
