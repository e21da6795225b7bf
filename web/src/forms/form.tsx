import { type ReactNode, useLayoutEffect, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { FormHandle } from './use-form.ts'

/**
 * A form of fields. Until the page is alive it cannot be sent, so that nothing is lost and no password lands in an address;
 * what was typed by then is kept.
 */
export function Form<Values extends FieldValues>({
  form,
  className,
  label,
  children,
}: {
  form: FormHandle<Values>
  className?: string | undefined
  /** What the form is for, where no heading says it. */
  label?: string
  children: ReactNode
}) {
  const element = useRef<HTMLFormElement>(null)
  const { takeOver } = form

  // Before anything is drawn anew: afterwards the fields show what the form knows.
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
