import { type RefObject, useEffect, useRef } from 'react'

/** How far below the window the end of the list is looked for: the places kept for what comes stand before it. */
const AHEAD = '2400px'

/** Calls back each time the element comes near the window, and once more as long as it stays there. */
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
