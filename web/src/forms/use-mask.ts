import { type RefCallback, useLayoutEffect, useRef } from 'react'
import { cursorInMask, type Mask } from './masks.ts'

/** Applies a mask to typed text and keeps the cursor in place. `input` is the ref of the field's element. */
export function useMask(
  mask: Mask | undefined,
  field: { ref: RefCallback<HTMLInputElement>; onChange: (value: string) => void },
): { input: RefCallback<HTMLInputElement>; onChange: (typed: string) => void } {
  const input = useRef<HTMLInputElement>(null)
  const cursor = useRef<number>(null)

  const place = () => {
    if (cursor.current !== null) input.current?.setSelectionRange(cursor.current, cursor.current)
    cursor.current = null
  }
  useLayoutEffect(place)

  return {
    input: (element) => {
      input.current = element
      field.ref(element)
    },
    onChange: (typed) => {
      if (mask === undefined) return field.onChange(typed)
      const written = mask(typed)
      const at = input.current?.selectionStart ?? typed.length
      cursor.current = written === typed ? null : cursorInMask(typed, at, written)
      field.onChange(written)
      // If the mask removes the typed character, the value stays the same and React does not render. The browser
      // has moved the cursor all the same.
      queueMicrotask(place)
    },
  }
}
