import { flushSync } from 'react-dom'

/**
 * Renders the errors that `show` sets, and then focuses the first invalid field inside of `form`. The field scrolls
 * into view, and a screen reader reads its error.
 */
export function focusInvalid(form: Element | null, show: () => void): void {
  flushSync(show)
  // The button of a select has no `aria-invalid`.
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] > button')?.focus()
}
