import type { ComponentProps } from 'react'
import type { FieldPathByValue, FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { NewPasswordInput } from '../../../forms/new-password-input.tsx'
import { PasswordInput } from '../../../forms/password-input.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'

/** The fields for a new password and its repetition, with a list of the storefront's rules for passwords (A5-07). */
export function NewPasswordFields<Values extends FieldValues>({
  form,
  password,
  confirm,
}: Pick<ComponentProps<typeof PasswordInput<Values>>, 'form'> & {
  password: FieldPathByValue<Values, string>
  confirm: FieldPathByValue<Values, string>
}) {
  const { t } = useTranslation('auth')
  const policy = useConfiguration().registration.passwordPolicy
  return (
    <>
      <NewPasswordInput<Values> form={form} name={password} policy={policy} label={t('newPassword')} />
      <PasswordInput<Values>
        form={form}
        name={confirm}
        autoComplete="new-password"
        label={t('newPasswordConfirm')}
      />
    </>
  )
}
