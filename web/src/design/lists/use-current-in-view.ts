import { type RefObject, useEffect } from 'react'

/**
 * Scrolls a horizontal list so that its current item is in the middle. The page itself does not scroll.
 *
 * @param current identifies the current item. When it changes, the list scrolls again
 */
export function useCurrentInView(list: RefObject<HTMLElement | null>, current: unknown): void {
  useEffect(() => {
    const shown = current === undefined ? null : list.current?.querySelector('[aria-current]')
    if (!list.current || !shown) return
    const [around, within] = [list.current.getBoundingClientRect(), shown.getBoundingClientRect()]
    const beyond = within.left + within.width / 2 - (around.left + around.width / 2)
    list.current.scrollBy({ left: beyond, behavior: 'instant' })
  }, [list, current])
}
