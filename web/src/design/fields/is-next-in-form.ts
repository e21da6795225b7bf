import type { FocusEvent } from 'react'

/**
 * Returns whether the focus moves from a field to another control of its form. A button that closes the dialog of the
 * form is not part of the form.
 */
export function isNextInForm({ target, relatedTarget }: FocusEvent): boolean {
  return (
    target instanceof HTMLInputElement &&
    (relatedTarget instanceof HTMLInputElement || relatedTarget instanceof HTMLButtonElement) &&
    relatedTarget.form === target.form
  )
}
