import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { FormHandle } from './use-form.ts'

/**
 * A form. Before hydration, the viewer cannot submit the form, so that no input is lost and no password appears in
 * an address. Values that the viewer types before hydration are kept.
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

  // Runs before the next render, because that render would overwrite the values that were typed before hydration.
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
