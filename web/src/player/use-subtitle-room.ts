import { type RefObject, useLayoutEffect } from 'react'
import { followSize } from '../design/follow-size.ts'

/** Px between subtitles and what they stand above, as in the player's style sheet. */
const MARGIN = 14

/** Subtitles have at most so many lines. */
const LINES = 2

/**
 * Keeps subtitles clear of what lies over the foot of the picture: sets `--subtitle-room` of the player, by which its style sheet
 * places them. Subtitles stay below a thing that leaves room for them there. Offsets are measured, not places on the screen: panels
 * still move while they appear.
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
      player.style.setProperty('--subtitle-room', `${roomFor(heightOfSubtitles(player), player, lying)}px`)
    }
    measure()
    return followSize([player, ...lying], measure)
  }, [root, selector])
}

/** How far above the foot of the player subtitles of a height have to stand, in px. */
function roomFor(subtitles: number, player: HTMLElement, lying: readonly HTMLElement[]): number {
  const spans = lying.map((each) => {
    const top = player.clientHeight - topOf(each, player)
    return { top, foot: top - each.offsetHeight }
  })
  return spans
    .toSorted((one, other) => one.foot - other.foot)
    .reduce((room, { top, foot }) => (foot <= room + subtitles ? Math.max(room, top) : room), 0)
}

/** How much room subtitles take with the margins around them, in px. */
function heightOfSubtitles(player: HTMLElement): number {
  // Upright, subtitles stand in the picture, far above the foot: they do not fit below anything.
  if (player.clientHeight > player.clientWidth) return Number.POSITIVE_INFINITY
  const text = player.querySelector('.shaka-text-container')
  return text === null ? 0 : LINES * Number.parseFloat(getComputedStyle(text).lineHeight) + 2 * MARGIN
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
