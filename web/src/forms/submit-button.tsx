import { useHydrated } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type FieldValues, useFormState } from 'react-hook-form'
import { Button } from '../design/button.tsx'
import type { FormHandle } from './use-form.ts'

/** Sends a form: once, and only from a page that is alive. */
export function SubmitButton<Values extends FieldValues>({
  form,
  pending,
  isDisabled = false,
  children,
}: {
  form: FormHandle<Values>
  /** What the button says while the form is on its way. */
  pending: ReactNode
  isDisabled?: boolean
  children: ReactNode
}) {
  const alive = useHydrated()
  const { isSubmitting } = useFormState({ control: form.control })
  return (
    // The press does not leave the field: what is said below it would move the button away from under the pointer.
    <Button
      type="submit"
      look="primary"
      preventFocusOnPress
      isDisabled={!alive || isDisabled}
      isPending={isSubmitting}
    >
      {isSubmitting ? pending : children}
    </Button>
  )
}
