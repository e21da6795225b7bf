import { type RefObject, useLayoutEffect } from 'react'
import { followSize } from '../../design/page/follow-size.ts'

/** Distance in px between subtitles and the element below them, as in the player's style sheet. */
const MARGIN = 14

/** Maximum lines of subtitles. */
const LINES = 2

/**
 * Moves subtitles above the elements that cover the lower part of the video. If there is enough room for subtitles
 * below an element, they stay below it. Sets `--subtitle-room` of the player, from which the player's style sheet
 * computes the position of subtitles. The hook measures layout offsets, because screen positions change while a panel
 * slides in.
 * @param over selectors of the elements that are currently over the video
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

/** Returns the distance from the bottom of the player, in px, at which subtitles of the height `subtitles` fit. */
function roomFor(subtitles: number, player: HTMLElement, lying: readonly HTMLElement[]): number {
  const spans = lying.map((each) => {
    const top = player.clientHeight - topOf(each, player)
    return { top, foot: top - each.offsetHeight }
  })
  return spans
    .toSorted((one, other) => one.foot - other.foot)
    .reduce((room, { top, foot }) => (foot <= room + subtitles ? Math.max(room, top) : room), 0)
}

/** Returns the height of the subtitles with their margins, in px. */
function heightOfSubtitles(player: HTMLElement): number {
  // In portrait, subtitles are within the picture, far above the bottom of the player. An infinite height means
  // that they never fit below an element.
  if (player.clientHeight > player.clientWidth) return Number.POSITIVE_INFINITY
  const text = player.querySelector('.shaka-text-container')
  return text === null ? 0 : LINES * Number.parseFloat(getComputedStyle(text).lineHeight) + 2 * MARGIN
}

/** Returns the layout offset of an element from the top of the player, in px. */
function topOf(element: HTMLElement, player: HTMLElement): number {
  let top = 0
  let each: Element | null = element
  while (each instanceof HTMLElement && each !== player) {
    top += each.offsetTop
    each = each.offsetParent
  }
  return top
}
