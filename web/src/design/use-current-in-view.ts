import { type RefObject, useEffect } from 'react'

/**
 * Keeps what is current of a list that scrolls sideways in its middle; the page stays where it is.
 *
 * @param current what is current; when it changes, the list moves there.
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
