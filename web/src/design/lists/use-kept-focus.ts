import { type RefObject, useEffect } from 'react'

/** The attribute of a row. Its value is a key that stays the same when the row is rendered again. */
const ROW = 'data-row'

/** Elements of a row that can have the focus. */
const FOCUSABLE = 'a[href], button:not([disabled]), input'

/**
 * Moves the focus when the focused element is removed from the screen, so that keys and screen readers continue
 * nearby: to the next row, else to the previous row, else to the heading of the screen. If undo restores the row, the
 * focus moves back to the row, unless the viewer has moved it elsewhere.
 */
export function useKeptFocus(screen: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = screen.current
    if (root === null) return undefined
    let focused: Element | undefined
    let keys: string[] = []
    let index = -1
    /** Key of the removed row that had the focus. */
    let removed: string | undefined
    /** The element that got the focus when the row was removed. */
    let neighbour: HTMLElement | null = null
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      focused = target
      keys = rowsOf(root).map(keyOf)
      index = keys.indexOf(keyOf(target.closest(`[${ROW}]`)))
    }
    const changes = new MutationObserver(() => {
      const isRemoved = focused !== undefined && !focused.isConnected
      if (isRemoved) focused = undefined
      const here = document.activeElement
      const isLost = here === null || here === document.body
      if (!isLost && here !== neighbour) return
      const shown = new Map(rowsOf(root).map((row) => [keyOf(row), row]))
      if (isRemoved && isLost) {
        const key = keys[index]
        // A row can remain when its focused button disappears.
        removed = key === undefined || shown.has(key) ? undefined : key
        const near = index < 0 ? [] : [...keys.slice(index), ...keys.slice(0, index).toReversed()]
        const row = near.map((key) => shown.get(key)).find((each) => each !== undefined)
        neighbour = row?.querySelector<HTMLElement>(FOCUSABLE) ?? headingOf(root)
        neighbour?.focus()
        return
      }
      const restored = removed === undefined ? undefined : shown.get(removed)
      if (restored === undefined) return
      removed = undefined
      restored.querySelector<HTMLElement>(FOCUSABLE)?.focus()
    })
    root.addEventListener('focusin', remember)
    changes.observe(root, { childList: true, subtree: true })
    return () => {
      root.removeEventListener('focusin', remember)
      changes.disconnect()
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
