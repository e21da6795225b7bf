import { type RefObject, useEffect } from 'react'

/** The attribute of a row. Its value is a key that stays the same when the row is rendered again. */
const ROW = 'data-recording'

/** Elements of a row that can have the focus. */
const FOCUSABLE = 'a[href], button:not([disabled]), input'

/**
 * Moves the focus when its element is removed from the screen, so that keys and screen readers continue nearby: to the
 * next row, else to the previous row, else to the heading of the screen.
 */
export function useKeptFocus(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = screen.current
    if (root === null) return undefined
    let focused: Element | undefined
    let keys: string[] = []
    let index = -1
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      focused = target
      keys = rowsOf(root).map(keyOf)
      index = keys.indexOf(keyOf(target.closest(`[${ROW}]`)))
    }
    const removals = new MutationObserver(() => {
      if (focused === undefined || focused.isConnected) return
      focused = undefined
      if (document.activeElement !== null && document.activeElement !== document.body) return
      const shown = new Map(rowsOf(root).map((row) => [keyOf(row), row]))
      const near = index < 0 ? [] : [...keys.slice(index), ...keys.slice(0, index).toReversed()]
      const row = near.map((key) => shown.get(key)).find((each) => each !== undefined)
      const target = row?.querySelector<HTMLElement>(FOCUSABLE) ?? headingOf(root)
      target?.focus()
    })
    root.addEventListener('focusin', remember)
    removals.observe(root, { childList: true, subtree: true })
    return () => {
      root.removeEventListener('focusin', remember)
      removals.disconnect()
    }
  }, [screen])
}

function rowsOf(root: HTMLElement): Element[] {
  return [...root.querySelectorAll(`[${ROW}]`)]
}

function keyOf(row: Element | null): string {
  return row?.getAttribute(ROW) ?? ''
}

/** Returns the heading of a screen, and makes it focusable. */
function headingOf(root: HTMLElement): HTMLElement | null {
  const heading = root.querySelector<HTMLElement>('h1')
  if (heading !== null) heading.tabIndex = -1
  return heading
}
