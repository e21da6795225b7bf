import type { Offer } from '@ondine/contract/offers'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { offersQuery } from '../../rights/offers/offers-query.ts'
import { PeriodSwitch } from '../../rights/offers/period-switch.tsx'
import { PlanCard } from '../../rights/offers/plan-card.tsx'
import { hasBothPeriods, type Period, plansOf } from '../../rights/offers/plans.ts'
import { useStanding } from '../../rights/offers/standing.ts'
import shop from '../shop/offers-screen.module.css'
import { OffersPart } from '../shop/offers-screen.tsx'
import { AddProfile } from './add-profile.tsx'
import styles from './registration.module.css'
import { useRegistration } from './use-registration.ts'

/**
 * The step in which the viewer chooses an offer (A2.1-08). Nothing is bought yet: the summary gets the chosen
 * offer. The step needs no data of earlier steps, so the server can render it.
 */
export function OffersStepScreen() {
  const { t } = useTranslation('register')
  const { send } = useRegistration('register-offers')
  const { data: offers = [] } = useQuery(offersQuery)
  const [period, setPeriod] = useState<Period>('monthly')
  return (
    <div className={styles.offers}>
      <header className={styles.head}>
        <h1 className={styles.title} tabIndex={-1}>
          {t('offersTitle')}
        </h1>
        <p className={styles.lead}>{t('offersLead')}</p>
        {hasBothPeriods(offers) && <PeriodSwitch value={period} onChange={setPeriod} />}
      </header>
      <OffersPart>
        {(all) => (
          <Plans
            plans={plansOf(all, period)}
            onChoose={({ idOption }) => send({ type: 'chosen', offerIds: [idOption] })}
          />
        )}
      </OffersPart>
      <ButtonGroup isCentred>
        <Button onPress={() => send({ type: 'chosen', offerIds: [] })}>{t('offersLater')}</Button>
        <AddProfile onClosed={() => send({ type: 'profileClosed' })} />
      </ButtonGroup>
    </div>
  )
}

/**
 * The button that chooses a plan. Renders nothing for a plan that the account already has, or to which its plan
 * can only be changed.
 */
function ChooseButton({ offer, onChoose }: { offer: Offer; onChoose: (offer: Offer) => void }) {
  const { t } = useTranslation('register')
  if (useStanding(offer) !== 'open') return null
  return (
    <Button
      look="primary"
      aria-label={t('offersChooseOf', { title: offer.title })}
      onPress={() => onChoose(offer)}
    >
      {t('offersChoose')}
    </Button>
  )
}

function Plans({ plans, onChoose }: { plans: Offer[]; onChoose: (offer: Offer) => void }) {
  const { t } = useTranslation()
  if (plans.length === 0) return <p className={styles.lead}>{t('offers.none')}</p>
  return (
    <section className={shop.plans} aria-label={t('offers.list')}>
      {plans.map((offer) => (
        <PlanCard key={offer.idOption} offer={offer} layout="OfferSquare">
          <ChooseButton offer={offer} onChoose={onChoose} />
        </PlanCard>
      ))}
    </section>
  )
}
