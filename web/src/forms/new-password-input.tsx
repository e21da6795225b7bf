import type { PasswordPolicy } from '@ondine/contract/password-policy'
import { type ComponentProps, useId } from 'react'
import type { FieldValues } from 'react-hook-form'
import { PasswordInput } from './password-input.tsx'
import { PasswordRules } from './password-rules.tsx'

/** A field for a new password. Its rules are below, and are checked off as the viewer types. */
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
