import { resendAccountActivationEmail, validateAccount } from '@ondine/contract/account-calls'
import { useHydrated } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/call.ts'
import { Button, ButtonLink } from '../../design/button.tsx'
import { pathOf } from '../links/content-link.ts'
import { AuthPanel } from './auth-panel.tsx'
import styles from './sign-in-screen.module.css'

/**
 * Where the link of a letter leads (A2.1-05). It asks for a press: programs that look into letters open their links, and one
 * holds only once.
 */
export function VerifyScreen({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation()
  const alive = useHydrated()
  const [pending, setPending] = useState(false)
  const [outcome, setOutcome] = useState<'open' | 'done' | { refused: string }>(
    token === '' ? { refused: t('errors.tokenMissing') } : 'open',
  )

  async function confirm(): Promise<void> {
    setPending(true)
    try {
      await call(validateAccount, { token, ...(email === '' ? {} : { email }) })
      setOutcome('done')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setOutcome({ refused: error.message })
    } finally {
      setPending(false)
    }
  }

  if (outcome === 'done') {
    return (
      <AuthPanel title={t('auth.verifyDoneTitle')} lead={t('auth.verifyDone')}>
        <ButtonLink look="primary" to={pathOf('auth-login')}>
          {t('auth.toSignIn')}
        </ButtonLink>
      </AuthPanel>
    )
  }
  if (outcome !== 'open') {
    return (
      <AuthPanel title={t('auth.linkBadTitle')} lead={outcome.refused}>
        <div className={styles.actions}>
          {email !== '' && <Resend email={email} />}
          <ButtonLink look={email === '' ? 'primary' : 'secondary'} to={pathOf('auth-login')}>
            {t('auth.toSignIn')}
          </ButtonLink>
        </div>
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
    </AuthPanel>
  )
}

/** Sends the link again. It says the same whether an account waits for it or not. */
export function Resend({ email }: { email: string }) {
  const { t } = useTranslation('auth')
  const [sent, setSent] = useState(false)

  async function send(): Promise<void> {
    await call(resendAccountActivationEmail, { email })
    setSent(true)
  }

  return (
    <>
      <Button onPress={() => void send()}>{t('resend')}</Button>
      <output>{sent && t('resent')}</output>
    </>
  )
}
