import { type RefCallback, useLayoutEffect, useRef } from 'react'
import { cursorInMask, type Mask } from './masks.ts'

/** Has what is typed written down by a mask, with the cursor where the hand left it. `input` takes the field's own element. */
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
      // What the mask takes back leaves the field as it was: nothing is drawn anew then, but the browser has lost the place.
      queueMicrotask(place)
    },
  }
}
