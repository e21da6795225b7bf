import { resetPassword } from '@ondine/contract/account-calls'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { providerError } from '../../ground/errors/provider-errors.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { AuthPanel } from './auth-panel.tsx'
import { NewPasswordFields } from './new-password-fields.tsx'
import styles from './sign-in-screen.module.css'

/** The form that sets a new password (A2.1-04). `token` comes from the link in an e-mail. */
export function ResetScreen({ token }: { token: string }) {
  const { t } = useTranslation()
  const policy = useConfiguration().registration.passwordPolicy
  const [outcome, setOutcome] = useState<'open' | 'done' | 'expired'>(token === '' ? 'expired' : 'open')
  const form = useForm({
    initial: { password: '', passwordConfirm: '' },
    refusalOf: (error) => providerError(error, t),
    schema: async () => (await import('./new-password.schema.ts')).newPasswordForm(policy),
    onSubmit: async (sent) => {
      try {
        await call(resetPassword, { token, ...sent })
        setOutcome('done')
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== CODES.linkExpired) throw error
        setOutcome('expired')
      }
    },
  })
  if (outcome === 'done') {
    return (
      <AuthPanel title={t('auth.resetDoneTitle')} lead={t('auth.resetDone')}>
        <ButtonLink look="primary" to={pathOf('auth-login')}>
          {t('auth.toSignIn')}
        </ButtonLink>
      </AuthPanel>
    )
  }
  if (outcome === 'expired') {
    const isIncomplete = token === ''
    return (
      <AuthPanel
        title={t(isIncomplete ? 'auth.linkIncompleteTitle' : 'auth.linkBadTitle')}
        lead={t(isIncomplete ? 'errors.tokenMissing' : 'errors.linkExpired')}
      >
        <ButtonLink look="primary" to={pathOf('auth-password-forgot')}>
          {t('auth.askNewLink')}
        </ButtonLink>
      </AuthPanel>
    )
  }
  return (
    <AuthPanel title={t('auth.resetTitle')} lead={t('auth.resetLead')}>
      <Form form={form} className={styles.form}>
        <NewPasswordFields form={form} password="password" confirm="passwordConfirm" />
        <FormRefusal form={form} />
        <SubmitButton form={form} pending={t('auth.resetPending')}>
          {t('auth.resetSubmit')}
        </SubmitButton>
      </Form>
    </AuthPanel>
  )
}
