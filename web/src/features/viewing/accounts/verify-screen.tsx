import { resendAccountActivationEmail, validateAccount } from '@ondine/contract/account-calls'
import { useHydrated } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { CODES } from '../../../api/codes.ts'
import { Button, ButtonLink, type ButtonLook } from '../../../design/buttons/button.tsx'
import { TextLink } from '../../../design/buttons/link.tsx'
import { Form } from '../../../forms/form.tsx'
import { FormRefusal } from '../../../forms/form-refusal.tsx'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { describeError } from '../../ground/errors/describe-error.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { chosenPlanPath } from '../../rights/offers/chosen-plan.ts'
import { AuthPanel } from './auth-panel.tsx'
import styles from './sign-in-screen.module.css'

/**
 * The page to which the link in the verification e-mail leads (A2.1-05). The viewer must press a button, because
 * e-mail scanners open links, and the token is valid only once.
 */
export function VerifyScreen({
  token,
  email,
  isChange,
}: {
  token: string
  email: string
  /** Whether the link confirms the new address of an account that is active already. */
  isChange: boolean
}) {
  const { t, i18n } = useTranslation()
  const alive = useHydrated()
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState<'open' | 'done' | 'incomplete' | { title: string; text: string }>(
    token === '' ? 'incomplete' : 'open',
  )
  const [fault, setFault] = useState('')

  async function confirm(): Promise<void> {
    setPending(true)
    setFault('')
    try {
      await call(validateAccount, { token, ...(email === '' ? {} : { email }) })
      setOutcome('done')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { text } = describeError(error, t, (key) => i18n.exists(key))
      if (isPassing(error)) setFault(text)
      else if (error.code === CODES.usernameTaken) setOutcome({ title: t('auth.addressTakenTitle'), text })
      else {
        const isExpiredChange = isChange && error.code === CODES.linkExpired
        setOutcome({ title: t('auth.linkBadTitle'), text: isExpiredChange ? t('auth.changeExpired') : text })
      }
    } finally {
      setPending(false)
    }
  }

  if (outcome === 'done') {
    return (
      <AuthPanel title={t('auth.verifyDoneTitle')} lead={t('auth.verifyDone')}>
        {/* If the viewer chose a plan, the link leads to the cart with the plan. The cart asks for the sign-in
            first. */}
        <ButtonLink look="primary" to={chosenPlanPath() ?? pathOf('auth-login')}>
          {t('auth.toSignIn')}
        </ButtonLink>
      </AuthPanel>
    )
  }
  if (outcome !== 'open') {
    const { title, text } =
      outcome === 'incomplete'
        ? { title: t('auth.linkIncompleteTitle'), text: t('errors.tokenMissing') }
        : outcome
    return (
      <AuthPanel title={title} lead={text}>
        {isChange ? (
          <ButtonLink look="primary" to={pathOf('account-informations')}>
            {t('auth.changeAgain')}
          </ButtonLink>
        ) : email === '' ? (
          <ResendForm />
        ) : (
          <div className={styles.actions}>
            <Resend email={email} look="primary" />
          </div>
        )}
        <p className={styles.line}>
          {t('auth.verifyAlready')} <TextLink to={pathOf('auth-login')}>{t('auth.toSignIn')}</TextLink>
        </p>
      </AuthPanel>
    )
  }
  return (
    <AuthPanel
      title={t('auth.verifyTitle')}
      lead={email === '' ? t('auth.verifyTextPlain') : t('auth.verifyText', { email })}
    >
      <Button look="primary" isDisabled={!alive} isPending={pending} onPress={() => void confirm()}>
        {pending ? t('auth.verifyPending') : t('auth.verifyButton')}
      </Button>
      <p role="alert" className={styles.fault}>
        {fault}
      </p>
    </AuthPanel>
  )
}

/** Returns whether the same link may work later, because the service has not judged it. */
function isPassing({ status }: ApiError): boolean {
  return status >= 500 || status === 429
}

/**
 * A form that sends the verification link again. The viewer enters the e-mail address. Shown if the page's address
 * does not contain an e-mail address.
 */
function ResendForm() {
  const { t } = useTranslation()
  const [sent, setSent] = useState(false)
  const form = useForm({
    initial: { email: '' },
    schema: async () => (await import('./forgot.schema.ts')).forgotForm,
    onSubmit: async ({ email }) => {
      await call(resendAccountActivationEmail, { email })
      setSent(true)
    },
  })
  return (
    <Form form={form} className={styles.form} label={t('auth.resend')}>
      <TextInput form={form} name="email" type="email" autoComplete="username" label={t('signIn.email')} />
      <FormRefusal form={form} />
      <SubmitButton form={form} pending={t('auth.forgotPending')}>
        {t('auth.resend')}
      </SubmitButton>
      <output>{sent && t('auth.resent')}</output>
    </Form>
  )
}

/**
 * A button that sends the verification link again. The result does not reveal whether an account waits for the
 * link.
 */
export function Resend({ email, look = 'secondary' }: { email: string; look?: ButtonLook }) {
  const { t } = useTranslation('auth')
  const [sent, setSent] = useState(false)

  async function send(): Promise<void> {
    await call(resendAccountActivationEmail, { email })
    setSent(true)
  }

  return (
    <>
      <Button look={look} onPress={() => void send()}>
        {t('resend')}
      </Button>
      <output>{sent && t('resent')}</output>
    </>
  )
}
