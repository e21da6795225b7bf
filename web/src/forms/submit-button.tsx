import { useHydrated } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type FieldValues, useFormState } from 'react-hook-form'
import { Button } from '../design/buttons/button.tsx'
import type { FormHandle } from './use-form.ts'

/** The submit button of a form. Works only after hydration, and not while the form is being sent. */
export function SubmitButton<Values extends FieldValues>({
  form,
  pending,
  isDisabled = false,
  children,
}: {
  form: FormHandle<Values>
  /** The label while the form is being sent. */
  pending: ReactNode
  isDisabled?: boolean
  children: ReactNode
}) {
  const alive = useHydrated()
  const { isSubmitting } = useFormState({ control: form.control })
  return (
    // A press must not move the focus out of a field. Otherwise the error message of the field would appear
    // and move the button away from the pointer.
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
