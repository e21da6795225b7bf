import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { cartPath } from '../../rights/offers/offer-paths.ts'
import { purchased } from '../../rights/offers/purchased.ts'
import { AuthPanel } from '../accounts/auth-panel.tsx'
import panel from '../accounts/sign-in-screen.module.css'
import { Resend } from '../accounts/verify-screen.tsx'
import { OnceAlive } from './once-alive.tsx'
import { useRegistered } from './use-registered.ts'
import { useRegistration } from './use-registration.ts'

/**
 * Says that the verification e-mail was sent (A2.1-10). If the address is already verified, says that the account
 * is active.
 */
export function ConfirmationStepScreen() {
  const { t } = useTranslation('register')
  return (
    <OnceAlive title={t('confirmationTitle')}>
      <ConfirmationStep />
    </OnceAlive>
  )
}

function ConfirmationStep() {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const {
    context: { email, offerIds, orderId },
  } = useRegistration('register-confirmation')
  const account = useRegistered(email)
  useEffect(() => {
    if (orderId !== null) void purchased(queries, { orderId })
  }, [orderId, queries])
  const isWaiting = offerIds.length > 0 && orderId === null
  const toCart = cartPath({ offerIds })
  if (account !== undefined) {
    const [title, lead] =
      orderId === null
        ? [t('register.readyTitle'), t('register.ready', { email: account })]
        : [t('cart.confirmed'), t('cart.confirmedText')]
    return (
      <AuthPanel title={title} lead={lead}>
        <div className={panel.actions}>
          {isWaiting && (
            <ButtonLink look="primary" to={toCart}>
              {t('register.toPayment')}
            </ButtonLink>
          )}
          <ButtonLink look={isWaiting ? 'secondary' : 'primary'} to={pathOf('home')}>
            {t('register.toHome')}
          </ButtonLink>
        </div>
      </AuthPanel>
    )
  }
  return (
    <AuthPanel title={t('register.confirmationTitle')} lead={t('register.confirmation', { email })}>
      {isWaiting && <p>{t('register.confirmationOffer')}</p>}
      <div className={panel.actions}>
        {/* The cart requires a sign-in. */}
        <ButtonLink look="primary" to={isWaiting ? toCart : pathOf('auth-login')}>
          {t('register.toSignIn')}
        </ButtonLink>
        <Resend email={email} />
      </div>
    </AuthPanel>
  )
}
