import { resendAccountActivationEmail, validateAccount } from '@ondine/contract/account-calls'
import { useQueryClient } from '@tanstack/react-query'
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
import { refusalLine } from '../../../forms/refusal-line.ts'
import { SubmitButton } from '../../../forms/submit-button.tsx'
import { TextInput } from '../../../forms/text-input.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { describeError } from '../../ground/errors/describe-error.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { sessionQuery, useSession } from '../../ground/session/session.ts'
import { chosenPlanPath } from '../../rights/offers/chosen-plan.ts'
import { accountQuery } from './account-query.ts'
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
  const queries = useQueryClient()
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
      // Removed, because the form of the details would begin with the old address of stale data.
      queries.removeQueries({ queryKey: accountQuery.queryKey })
      setOutcome('done')
      void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
    } catch (error) {
      if (!(error instanceof ApiError)) {
        reportFault(error)
        setFault(t('errors.unknown'))
        return
      }
      const { text } = describeError(error, t, (key) => i18n.exists(key))
      if (isPassing(error)) setFault(refusalLine(error, text, t))
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
    return isChange ? (
      <Changed />
    ) : (
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

/** The panel after a new address has been confirmed. In the browser of the e-mail, the viewer may not be signed in. */
function Changed() {
  const { t } = useTranslation()
  const isSignedIn = useSession().account !== null
  return (
    <AuthPanel title={t('auth.changeDoneTitle')} lead={t('auth.changeDone')}>
      <ButtonLink look="primary" to={pathOf(isSignedIn ? 'account-informations' : 'auth-login')}>
        {t(isSignedIn ? 'account.informations' : 'auth.toSignIn')}
      </ButtonLink>
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
