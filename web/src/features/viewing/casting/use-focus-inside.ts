import { type FocusEvent, type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the focus when the focused part of an element is removed, so that keys and screen readers continue nearby. The
 * focus moves to the element; if the element is removed too, to the main content of the page.
 *
 * @returns properties of the element, which must be able to take the focus
 */
export function useFocusInside(): {
  ref: RefObject<HTMLElement | null>
  onFocus: () => void
  onBlur: (event: FocusEvent) => void
} {
  const ref = useRef<HTMLElement>(null)
  const isInside = useRef(false)
  useEffect(() => {
    if (!isInside.current) return
    // The browser has moved the focus to the body, because the focused part was removed.
    if (document.activeElement === document.body)
      (ref.current ?? document.querySelector('main'))?.focus({ preventScroll: true })
    isInside.current = ref.current?.contains(document.activeElement) ?? false
  })
  return {
    ref,
    onFocus: () => {
      isInside.current = true
    },
    onBlur: ({ target }) => {
      // When the window loses the focus, its focused element stays the same.
      isInside.current = document.activeElement === target
    },
  }
}
