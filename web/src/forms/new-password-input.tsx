import type { PasswordPolicy } from '@ondine/contract/password-policy'
import { type ComponentProps, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { PasswordInput } from './password-input.tsx'
import { PasswordRules } from './password-rules.tsx'

/** A password that is chosen here: what is asked of it stands below, and ticks off as one types. */
export function NewPasswordInput<Values extends FieldValues>({
  policy,
  ...props
}: Omit<ComponentProps<typeof PasswordInput<Values>>, 'autoComplete' | 'describedBy'> & {
  policy: PasswordPolicy
}) {
  const rules = useId()
  return (
    <>
      <PasswordInput<Values> {...props} autoComplete="new-password" describedBy={rules} />
      <PasswordRules form={props.form} name={props.name} id={rules} policy={policy} />
    </>
  )
}
