import { useHydrated } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../design/button.tsx'
import { AuthPanel } from '../accounts/auth-panel.tsx'
import { useSession } from '../accounts/session.ts'
import panel from '../accounts/sign-in-screen.module.css'
import { Resend } from '../accounts/verify-screen.tsx'
import { pathOf } from '../links/content-link.ts'
import { AddProfile } from './add-profile.tsx'
import styles from './registration.module.css'
import { useRegistration } from './use-registration.ts'

/** What is carried from step to step is in the browser: before the page is alive there is only the title. */
function OnceAlive({ title, children }: { title: string; children: ReactNode }) {
  return useHydrated() ? children : <AuthPanel title={title} />
}

/** The choice of an offer (A2.1-08). It is carried along; paying comes once the account is active. */
export function OffersStepScreen() {
  const { t } = useTranslation('register')
  return (
    <OnceAlive title={t('offersTitle')}>
      <OffersStep />
    </OnceAlive>
  )
}

function OffersStep() {
  const { t } = useTranslation('register')
  const { send } = useRegistration('register-offers')
  return (
    <AuthPanel title={t('offersTitle')} lead={t('offersLead')}>
      <div className={panel.actions}>
        <Button look="primary" onPress={() => send({ type: 'chosen', idOption: null })}>
          {t('offersLater')}
        </Button>
        <AddProfile onClosed={() => send({ type: 'profileClosed' })} />
      </div>
    </AuthPanel>
  )
}

/** What was chosen (A2.1-09). */
export function SummaryStepScreen() {
  const { t } = useTranslation('register')
  return (
    <OnceAlive title={t('summaryTitle')}>
      <SummaryStep />
    </OnceAlive>
  )
}

function SummaryStep() {
  const { t } = useTranslation('register')
  const { context, send } = useRegistration('register-summary')
  return (
    <AuthPanel title={t('summaryTitle')} lead={t('summaryLead')}>
      <dl className={styles.facts}>
        <div>
          <dt>{t('summaryAccount')}</dt>
          <dd>{context.email}</dd>
        </div>
        <div>
          <dt>{t('summaryOffer')}</dt>
          <dd>
            {context.idOption === null ? t('summaryNoOffer') : t('offersChosen', { id: context.idOption })}
          </dd>
        </div>
      </dl>
      <div className={panel.actions}>
        <Button look="primary" onPress={() => send({ type: 'confirmed' })}>
          {t('next')}
        </Button>
        <Button onPress={() => send({ type: 'back' })}>{t('back')}</Button>
        <AddProfile onClosed={() => send({ type: 'profileClosed' })} />
      </div>
    </AuthPanel>
  )
}

/** That a letter is on its way (A2.1-10), or that the account is in use already. */
export function ConfirmationStepScreen() {
  const { t } = useTranslation('register')
  return (
    <OnceAlive title={t('confirmationTitle')}>
      <ConfirmationStep />
    </OnceAlive>
  )
}

function ConfirmationStep() {
  const { t } = useTranslation('register')
  const { context } = useRegistration('register-confirmation')
  const { account } = useSession()
  if (account !== null && ['', account.email].includes(context.email.toLowerCase())) {
    return (
      <AuthPanel title={t('readyTitle')} lead={t('ready', { email: account.email })}>
        <ButtonLink look="primary" to={pathOf('home')}>
          {t('toHome')}
        </ButtonLink>
      </AuthPanel>
    )
  }
  return (
    <AuthPanel title={t('confirmationTitle')} lead={t('confirmation', { email: context.email })}>
      <div className={panel.actions}>
        <ButtonLink look="primary" to={pathOf('auth-login')}>
          {t('toSignIn')}
        </ButtonLink>
        <Resend email={context.email} />
      </div>
    </AuthPanel>
  )
}
