import {
  type RefObject,
  useCallback,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { followSize } from '../../../design/page/follow-size.ts'
import type { GuideView } from './guide-data.ts'

/** Sizes that the style sheet defines, in px. The height of a row depends on the height of the window. */
interface Sizes {
  minute: number
  row: number
  names: number
  head: number
}

/**
 * The rendered part of the grid begins and ends at multiples of this many seconds, and of `STEP_ROWS` rows. Small
 * movements then cause no rendering.
 */
const STEP_SECONDS = 1800
const STEP_ROWS = 2
/**
 * The rendered part extends beyond the edges of the window by this many seconds, and by `BEYOND_ROWS` rows.
 * Content is then ready before it becomes visible.
 */
const BEYOND_SECONDS = 1800
const BEYOND_ROWS = 2
/**
 * Length of the rendered part before the sizes are known, in seconds. With `FIRST_ROWS`, it fills the largest
 * usual screens.
 */
const FIRST_SECONDS = 4.5 * 3600
const FIRST_ROWS = 12
/** Scrolling has ended after this many milliseconds without movement. */
const REST_MS = 250
/**
 * During an animation, scrolling has ended after this many milliseconds without movement. A busy browser can need
 * that long for one frame.
 */
const GLIDE_REST_MS = 2000
/** Events with which a viewer begins to scroll. Each event stops an animation. */
const HOLDS = ['wheel', 'touchmove', 'pointerdown'] as const
/**
 * If a target is further away than this many widths of the window, only the last part of the way is animated.
 * Nobody could read the days of a longer animation.
 */
const GLIDE_WIDTHS = 2

/** Where a view begins: the moment at its left edge, in seconds since the Unix epoch, and the row at its top. */
export interface GridStart {
  time: number
  row: number
}

/** The scroll position of a grid, and the functions that change it. */
export interface GridScroll {
  view: GuideView
  /**
   * The moment at the left edge of the view, in seconds since the Unix epoch, rounded down to minutes. During an
   * animation, the moment at the left edge when the animation ends.
   */
  left: number
  /** Whether the browser's scroll position is set. Before that, the style sheet moves the content. */
  placed: boolean
  /** Number of rows that Page Up and Page Down scroll: nearly all visible rows. */
  page: number
  /** Scrolls to a moment, with an animation. */
  glideTo(seconds: number): void
  /**
   * Scrolls as little as possible to show a row from the moment `from` to the moment `to`. @returns the moment at
   * the left edge afterwards
   */
  reveal(row: number, from: number, to: number): number
}

/**
 * Scrolls a grid in which each minute has the same width, and each channel is a row. The sizes come from the style
 * sheet (`--minute`, the height of a row), so that the page from the server is correct at every width.
 *
 * @param begin start of the grid in seconds since the Unix epoch. `end` is its end
 * @param start the moment at the left edge and the row at the top when the page opens
 * @param onStill called with the new moment and row each time scrolling has ended
 */
export function useGridScroll(
  element: RefObject<HTMLDivElement | null>,
  { begin, end, rows, start }: { begin: number; end: number; rows: number; start: GridStart },
  onStill: (at: GridStart) => void,
): GridScroll {
  const placed = useSyncExternalStore(never, isHere, isElsewhere)
  const [view, setView] = useState<GuideView>(() => firstView(start, { rows, end }))
  const [left, setLeft] = useState(start.time)
  const [page, setPage] = useState(1)
  const sizes = useRef<Sizes>(undefined)
  // The exact moment at the left edge of the view. Changes of the scale or the days do not change it.
  const exact = useRef(start.time)
  // The moment at the left edge when the current animation ends. A further step starts from this moment.
  const goal = useRef<number>(undefined)
  const begun = useRef(false)

  const measure = useCallback(() => {
    const grid = element.current
    if (grid === null || sizes.current === undefined) return
    const { minute, row, names, head } = sizes.current
    const from = exact.current
    const to = from + ((grid.clientWidth - names) / minute) * 60
    const top = Math.floor(grid.scrollTop / row)
    const bottom = Math.floor((grid.scrollTop + grid.clientHeight - head) / row)
    const next = {
      firstRow: Math.max(0, floorTo(top - BEYOND_ROWS, STEP_ROWS)),
      lastRow: Math.min(rows - 1, floorTo(bottom + BEYOND_ROWS, STEP_ROWS) + 1),
      from: floorTo(from - BEYOND_SECONDS, STEP_SECONDS),
      to: floorTo(to + BEYOND_SECONDS, STEP_SECONDS) + STEP_SECONDS,
    }
    setView((shown) => (isSame(shown, next) ? shown : next))
    setLeft(floorTo(goal.current ?? from, 60))
    setPage(Math.max(1, Math.floor((grid.clientHeight - head) / row) - 1))
  }, [element, rows])

  const scrollTo = useCallback(
    (seconds: number, behavior: ScrollBehavior) => {
      const grid = element.current
      if (grid === null || sizes.current === undefined) return
      const px = ((seconds - begin) / 60) * sizes.current.minute
      grid.scrollTo({ left: isMirrored(grid) ? -px : px, behavior })
    },
    [element, begin],
  )

  /**
   * Scrolls to a moment without an animation. By default, the moment is the target of the current animation. Without
   * an animation, it is the moment at the left edge.
   */
  const place = useCallback(
    (seconds = goal.current ?? exact.current) => {
      exact.current = seconds
      goal.current = undefined
      scrollTo(seconds, 'instant')
    },
    [scrollTo],
  )

  /**
   * Returns the moment nearest to `seconds` that can be at the left edge. The view must not extend beyond the last
   * day.
   */
  function within(grid: HTMLElement, seconds: number): number {
    const { minute } = sizes.current ?? sizesOf(grid)
    return Math.max(begin, Math.min(seconds, begin + ((grid.scrollWidth - grid.clientWidth) / minute) * 60))
  }

  const rested = useEffectEvent(onStill)

  useLayoutEffect(() => {
    const grid = element.current
    if (!placed || grid === null) return undefined
    sizes.current = sizesOf(grid)
    if (!begun.current) grid.scrollTo({ top: start.row * sizes.current.row })
    begun.current = true
    place()
    measure()
    let resting: ReturnType<typeof setTimeout> | undefined
    const onScroll = () => {
      const { minute } = sizes.current ?? sizesOf(grid)
      const at = Math.abs(grid.scrollLeft)
      exact.current = begin + (at / minute) * 60
      const there = goal.current === undefined ? at : ((goal.current - begin) / 60) * minute
      if (Math.abs(Math.min(there, grid.scrollWidth - grid.clientWidth) - at) < 1) goal.current = undefined
      measure()
      clearTimeout(resting)
      resting = setTimeout(onRest, goal.current === undefined ? REST_MS : GLIDE_REST_MS)
    }
    const onRest = () => {
      letGo()
      const { row } = sizes.current ?? sizesOf(grid)
      rested({ time: exact.current, row: Math.round(grid.scrollTop / row) })
    }
    const letGo = () => {
      if (goal.current === undefined) return
      goal.current = undefined
      measure()
    }
    const unfollow = followSize([grid], () => {
      const before = sizes.current?.minute
      sizes.current = sizesOf(grid)
      if (before !== sizes.current.minute) place()
      measure()
    })
    grid.addEventListener('scroll', onScroll, { passive: true })
    for (const hold of HOLDS) grid.addEventListener(hold, letGo, { passive: true })
    return () => {
      clearTimeout(resting)
      unfollow()
      grid.removeEventListener('scroll', onScroll)
      for (const hold of HOLDS) grid.removeEventListener(hold, letGo)
    }
  }, [element, placed, begin, start.row, place, measure])

  return {
    view,
    left,
    placed,
    page,
    glideTo: (seconds) => {
      const grid = element.current
      if (grid === null || sizes.current === undefined) return
      const { minute } = sizes.current
      const aim = within(grid, seconds)
      const away = aim - exact.current
      if (isStill()) place(aim)
      else if (Math.abs(away) >= 60 / minute) {
        const width = (grid.clientWidth / minute) * 60
        if (Math.abs(away) > width * GLIDE_WIDTHS) place(aim - Math.sign(away) * width)
        goal.current = aim
        scrollTo(aim, 'smooth')
      }
      measure()
    },
    reveal: (row, from, to) => {
      const grid = element.current
      if (grid === null || sizes.current === undefined) return exact.current
      const { minute, row: height, names, head } = sizes.current
      // A key press during an animation continues from the end of the animation.
      if (goal.current !== undefined) place()
      const shownSeconds = ((grid.clientWidth - names) / minute) * 60
      // Scrolls if the new place is outside of the view. A tile that began earlier and is still visible causes no
      // scrolling.
      const isBefore = to < exact.current + 5 * 60
      const isAfter = from > exact.current + shownSeconds - 20 * 60
      if (isBefore || isAfter) {
        place(within(grid, floorTo(from, STEP_SECONDS) - (isAfter ? shownSeconds / 3 : 0)))
      }
      const top = row * height
      const room = grid.clientHeight - head
      if (top < grid.scrollTop) grid.scrollTo({ top })
      else if (top + height > grid.scrollTop + room) grid.scrollTo({ top: top + height - room })
      measure()
      return exact.current
    },
  }
}

/**
 * Returns the rendered part of the grid before the sizes are known. Near the last row, the part begins above the
 * requested row, so that it has the full number of rows.
 */
function firstView({ time, row }: GridStart, { rows, end }: { rows: number; end: number }): GuideView {
  const firstRow = Math.max(0, Math.min(row, rows - FIRST_ROWS))
  return {
    firstRow,
    lastRow: Math.min(firstRow + FIRST_ROWS, rows) - 1,
    from: floorTo(Math.min(time, end - FIRST_SECONDS), STEP_SECONDS),
    to: time + FIRST_SECONDS,
  }
}

function sizesOf(grid: HTMLElement): Sizes {
  const style = getComputedStyle(grid)
  const px = (name: string) => Number.parseFloat(style.getPropertyValue(name))
  const corner = grid.querySelector<HTMLElement>('th')
  return {
    minute: px('--minute'),
    row: grid.querySelector('tbody tr')?.getBoundingClientRect().height ?? px('--row-least'),
    names: corner?.offsetWidth ?? 0,
    head: corner?.offsetHeight ?? 0,
  }
}

/**
 * Returns whether the grid runs from right to left. Scroll positions are then negative, and counted from the right
 * edge.
 */
function isMirrored(grid: HTMLElement): boolean {
  return getComputedStyle(grid).direction === 'rtl'
}

/** Returns whether the viewer prefers reduced motion. */
function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step
}

function isSame(a: GuideView, b: GuideView): boolean {
  return a.firstRow === b.firstRow && a.lastRow === b.lastRow && a.from === b.from && a.to === b.to
}

// The `subscribe` function of `useSyncExternalStore`. It does nothing, because the value does not change after
// hydration. Only the browser can scroll, so the page gets its scroll position at hydration.
function never() {
  return () => {}
}
function isHere() {
  return true
}
function isElsewhere() {
  return false
}
