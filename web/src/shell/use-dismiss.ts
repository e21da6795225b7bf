import { type RefObject, useEffect } from 'react'

/**
 * Closes a panel when the viewer presses outside of it, moves the focus out of it, or presses Escape (V4-09). After
 * Escape, the panel's trigger has the focus again.
 */
export function useDismiss(
  place: RefObject<HTMLElement | null>,
  open: boolean,
  close: () => void,
  trigger?: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (!open) return undefined
    const isOutside = (target: EventTarget | null) =>
      target instanceof Node && place.current?.contains(target) === false
    const onPointer = (event: PointerEvent) => {
      if (isOutside(event.target)) close()
    }
    const onFocus = (event: FocusEvent) => {
      if (isOutside(event.target)) close()
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      close()
      trigger?.current?.focus()
    }
    addEventListener('pointerdown', onPointer)
    addEventListener('focusin', onFocus)
    addEventListener('keydown', onKey)
    return () => {
      removeEventListener('pointerdown', onPointer)
      removeEventListener('focusin', onFocus)
      removeEventListener('keydown', onKey)
    }
  }, [place, open, close, trigger])
}
