import type { Offer } from '@ondine/contract/offers'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { WarningIcon } from '../../../design/icons/icons.tsx'
import { StarIcon } from '../../../design/icons/screen-icons.tsx'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { homeQuery } from '../../content/catalogue/queries.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { offersQuery } from '../../rights/offers/offers-query.ts'
import { PeriodSwitch } from '../../rights/offers/period-switch.tsx'
import { PlanCard } from '../../rights/offers/plan-card.tsx'
import { hasBothPeriods, optionsOf, type Period, plansOf } from '../../rights/offers/plans.ts'
import { GiftButton } from '../../rights/vouchers/gift-button.tsx'
import { PosterHead } from '../home/poster-head.tsx'
import styles from './offers-screen.module.css'

/** The screen of subscriptions (A2.1-21). */
export function OffersScreen() {
  const { t } = useTranslation()
  const session = useSession()
  const { shuffle } = useRouter().options.context.environment
  const { data: rails = [] } = useQuery(homeQuery(session, shuffle))
  const { data: offers } = useQuery(offersQuery)
  const [period, setPeriod] = useState<Period>('monthly')
  return (
    <div className={styles.screen}>
      <PosterHead title={t('offers.title')} text={t('offers.lead')} rails={rails}>
        {offers !== undefined && hasBothPeriods(offers) && (
          <PeriodSwitch value={period} onChange={setPeriod} />
        )}
      </PosterHead>
      <OffersPart>{(all) => <Plans offers={all} period={period} />}</OffersPart>
      <section className={styles.gift} aria-labelledby="gift">
        <h2 id="gift" className={styles.heading}>
          {t('gift.heading')}
        </h2>
        <p>{t('gift.lead')}</p>
        <GiftButton />
      </section>
    </div>
  )
}

/**
 * A part of a screen that needs the offers on sale. Shows a placeholder until the offers arrive, and a message if
 * they cannot be fetched.
 */
export function OffersPart({ children }: { children: (offers: Offer[]) => ReactNode }) {
  const { t } = useTranslation('offers')
  const { data, error, refetch, isFetching } = useQuery(offersQuery)
  useEffect(() => reportFault(error), [error])
  if (data !== undefined) return children(data)
  if (error === null || isFetching) return <div className={styles.waiting} aria-busy="true" />
  return (
    <div className={styles.note} role="alert">
      <EmptyNote icon={<WarningIcon />} text={t('loadFailed')}>
        <Button onPress={() => void refetch()}>{t('retry')}</Button>
      </EmptyNote>
    </div>
  )
}

function Plans({ offers, period }: { offers: Offer[]; period: Period }) {
  const { t } = useTranslation('offers')
  const plans = plansOf(offers, period)
  const options = optionsOf(offers, period)
  if (plans.length === 0) {
    return (
      <div className={styles.note}>
        <EmptyNote icon={<StarIcon />} text={t('none')}>
          <ButtonLink to={pathOf('assets')}>{t('toCatalogue')}</ButtonLink>
        </EmptyNote>
      </div>
    )
  }
  return (
    <>
      <section className={styles.plans} aria-label={t('list')}>
        {plans.map((offer) => (
          <PlanCard key={offer.idOption} offer={offer} layout="OfferSquare" />
        ))}
      </section>
      {options.length > 0 && (
        <section className={styles.options} aria-labelledby="options">
          <h2 id="options" className={styles.heading}>
            {t('options')}
          </h2>
          {options.map((offer) => (
            <PlanCard key={offer.idOption} offer={offer} layout="OfferWide" />
          ))}
        </section>
      )}
    </>
  )
}
