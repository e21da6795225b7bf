import { type RefObject, useEffect } from 'react'

/**
 * Scrolls the current item of a horizontal list to its middle. The page itself does not scroll.
 *
 * @param current the current item; when another item becomes current, the list scrolls to that item
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
