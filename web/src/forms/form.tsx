import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { FormHandle } from './use-form.ts'

/**
 * A form. It cannot be submitted before hydration, so that no input is lost and no password gets into an address.
 * Values entered before hydration are kept.
 */
export function Form<Values extends FieldValues>({
  form,
  className,
  label,
  children,
}: {
  form: FormHandle<Values>
  className?: string | undefined
  /** The accessible name of the form, if no heading names it. */
  label?: string
  children: ReactNode
}) {
  const element = useRef<HTMLFormElement>(null)
  const { takeOver } = form

  // Runs before the next render, which would overwrite the entered values.
  useLayoutEffect(() => takeOver(element.current), [takeOver])

  return (
    <form
      ref={element}
      method="post"
      noValidate
      className={className}
      aria-label={label}
      onSubmit={form.submit}
    >
      {children}
    </form>
  )
}
