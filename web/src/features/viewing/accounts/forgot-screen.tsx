import { askResetPassword } from '@ondine/contract/account-calls'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { TextLink } from '../../../design/buttons/link.tsx'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { AuthPanel } from './auth-panel.tsx'
import styles from './sign-in-screen.module.css'

/**
 * The form that requests a link for a new password (A2.1-03, A5-32). The result does not reveal whether the
 * address belongs to an account.
 */
export function ForgotScreen() {
  const { t } = useTranslation('auth')
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm({
    initial: { email: '' },
    schema: async () => (await import('./forgot.schema.ts')).forgotForm,
    onSubmit: async ({ email }) => {
      await call(askResetPassword, { email })
      setSentTo(email)
    },
  })
  if (sentTo !== undefined) {
    return (
      <AuthPanel title={t('forgotSentTitle')} lead={t('forgotSent', { email: sentTo })}>
        <div className={styles.actions}>
          <ButtonLink look="primary" to={pathOf('auth-login')}>
            {t('toSignIn')}
          </ButtonLink>
          <Button onPress={() => setSentTo(undefined)}>{t('forgotAgain')}</Button>
        </div>
      </AuthPanel>
    )
  }
  return (
    <AuthPanel title={t('forgotTitle')} lead={t('forgotLead')}>
      <Form form={form} className={styles.form}>
        <TextInput
          form={form}
          name="email"
          type="email"
          autoComplete="username"
          label={t('email', { ns: 'signIn' })}
        />
        <FormRefusal form={form} />
        <SubmitButton form={form} pending={t('forgotPending')}>
          {t('forgotSubmit')}
        </SubmitButton>
      </Form>
      <p className={styles.line}>
        <TextLink to={pathOf('auth-login')}>{t('backToSignIn')}</TextLink>
      </p>
    </AuthPanel>
  )
}
