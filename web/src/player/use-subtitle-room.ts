import { type RefObject, useLayoutEffect } from 'react'
import { followSize } from '../design/follow-size.ts'

/**
 * Keeps subtitles clear of what lies over the foot of the picture: sets `--subtitle-room` of the player, by which its style sheet
 * places them. Offsets are measured, not places on the screen: panels still move while they appear.
 *
 * @param over selectors of what lies there now
 */
export function useSubtitleRoom(root: RefObject<HTMLElement | null>, over: readonly string[]): void {
  const selector = over.join()
  useLayoutEffect(() => {
    const player = root.current
    if (player === null) return undefined
    const lying = selector === '' ? [] : [...player.querySelectorAll<HTMLElement>(selector)]
    const measure = () => {
      const { clientHeight: height } = player
      const highest = Math.min(height, ...lying.map((each) => topOf(each, player)))
      player.style.setProperty('--subtitle-room', `${height - highest}px`)
    }
    measure()
    return followSize([player, ...lying], measure)
  }, [root, selector])
}

/** How far below the top of the player an element is laid out, in px. */
function topOf(element: HTMLElement, player: HTMLElement): number {
  let top = 0
  let each: Element | null = element
  while (each instanceof HTMLElement && each !== player) {
    top += each.offsetTop
    each = each.offsetParent
  }
  return top
}
