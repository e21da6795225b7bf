import type { Offer } from '@ondine/contract/offers'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { StruckPrice } from '../../../design/cards/struck-price.tsx'
import { moneyText } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { CartScreen } from '../../rights/offers/cart-screen.tsx'
import { priceOf, specialText } from '../../rights/offers/offer-texts.ts'
import { offersQuery } from '../../rights/offers/offers-query.ts'
import { dueAtFirst, firstCents } from '../../rights/offers/plans.ts'
import { subscribesAtService } from '../../rights/offers/shop.ts'
import { AuthPanel } from '../accounts/auth-panel.tsx'
import panel from '../accounts/sign-in-screen.module.css'
import { AddProfile } from './add-profile.tsx'
import { OnceAlive } from './once-alive.tsx'
import styles from './registration.module.css'
import { useRegistered } from './use-registered.ts'
import { useRegistration } from './use-registration.ts'

/** The step with the chosen offers, their total and the terms (A2.1-09). */
export function SummaryStepScreen() {
  const { t } = useTranslation('register')
  return (
    <OnceAlive title={t('summaryTitle')}>
      <SummaryStep />
    </OnceAlive>
  )
}

/**
 * A viewer who is signed in pays here. A viewer whose address is not verified yet only sees the amount, and pays
 * later.
 */
function SummaryStep() {
  const { t } = useTranslation('register')
  const { context, send } = useRegistration('register-summary')
  const { email, offerIds } = context
  const isSignedIn = useRegistered(email) !== undefined
  const addProfile = <AddProfile onClosed={() => send({ type: 'profileClosed' })} />
  if (offerIds.length > 0 && isSignedIn) {
    return (
      <CartScreen
        wish={{ offerIds }}
        title={t('summaryTitle')}
        onWish={(all) => send({ type: 'chosen', offerIds: all })}
        onExecuted={(orderId) => send({ type: 'paid', orderId })}
      >
        <ButtonGroup isCentred>
          <Button onPress={() => send({ type: 'back' })}>{t('back')}</Button>
          <Button onPress={() => send({ type: 'confirmed' })}>{t('payLater')}</Button>
          {addProfile}
        </ButtonGroup>
      </CartScreen>
    )
  }
  return (
    <AuthPanel title={t('summaryTitle')} lead={t('summaryLead')}>
      <dl className={styles.facts}>
        <Fact name={t('summaryAccount')}>{email}</Fact>
        {offerIds.length === 0 ? (
          <Fact name={t('summaryOffer')}>{t('summaryNoOffer')}</Fact>
        ) : (
          <ChosenOffers offerIds={offerIds} />
        )}
      </dl>
      <div className={panel.actions}>
        <Button look="primary" onPress={() => send({ type: 'confirmed' })}>
          {t('next')}
        </Button>
        <Button onPress={() => send({ type: 'back' })}>{t('back')}</Button>
        {addProfile}
      </div>
    </AuthPanel>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The chosen offers, the amount due, and the terms. */
function ChosenOffers({ offerIds }: { offerIds: readonly number[] }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { data: offers = [] } = useQuery(offersQuery)
  const chosen = offers.filter(({ idOption }) => offerIds.includes(idOption))
  const due = chosen.reduce((sum, offer) => sum + dueAtFirst(offer), 0)
  const configuration = useConfiguration()
  const { isCardAskedForTrial } = configuration.offers
  // Amount that the card is charged when the trial ends, in cents.
  const charged =
    due === 0 && isCardAskedForTrial ? chosen.reduce((sum, offer) => sum + firstCents(offer), 0) : 0
  return (
    <>
      {chosen.map((offer) => (
        <Fact key={offer.idOption} name={t('register.summaryOffer')}>
          {offer.title} · <Price offer={offer} />
        </Fact>
      ))}
      <Fact name={t('register.summaryDue')}>
        <strong className={styles.total}>{moneyText(due, language)}</strong>
      </Fact>
      <Fact name={t('register.summaryTerms')}>
        <span className={styles.terms}>
          {chosen.map((offer) => (
            <Terms key={offer.idOption} offer={offer} />
          ))}
          <span>
            {charged > 0
              ? t('register.summaryTrial', { price: moneyText(charged, language) })
              : t('register.summaryPays')}
          </span>
          {!subscribesAtService(configuration) && <span>{t('register.summaryVoucher')}</span>}
        </span>
      </Fact>
    </>
  )
}

function Price({ offer }: { offer: Offer }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { amount, before, per, note } = priceOf(offer, language, t)
  return (
    <>
      {before !== undefined && <StruckPrice {...before} />}{' '}
      {[amount, per].filter((part) => part !== undefined).join(' ')}
      {note !== undefined && ` · ${note}`}
      {offer.discount.active && ` · ${specialText(offer, t)}`}
    </>
  )
}

function Terms({ offer: { specialConditions, legalCopy } }: { offer: Offer }) {
  return (
    <>
      {specialConditions.map((condition) => (
        <span key={condition}>{condition}</span>
      ))}
      <span>{legalCopy}</span>
    </>
  )
}
