import { useNavigate } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { useHour } from '../../../design/time/use-hour.ts'
import { preloadModals } from '../../../modals/modal-host.tsx'
import { amountText } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import styles from './buy-buttons.module.css'
import { compareOffers } from './compare-offers.ts'
import { cartPath, type SoldContent } from './offer-paths.ts'
import { viewingTimeText } from './offer-texts.ts'
import { useStandings } from './standing.ts'
import { type Unlocking, useUnlocking } from './unlocking.ts'

/**
 * The offers that unlock a title or a channel: a subscription, a rental with its viewing time, and a button that
 * opens a comparison of all offers. Renders nothing without offers ({@link useIsSold}).
 *
 * @param isMain whether the offers are the main action of the page
 */
export function BuyButtons({
  content,
  title,
  isMain = true,
}: {
  content: SoldContent
  title: string
  isMain?: boolean
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const now = useHour()
  const limitHours = useConfiguration().offers.rentalDisplayLimitHours
  const unlocking = useUnlocking(content)
  const { subscriptions, singles } = unlocking
  if (subscriptions.length + singles.length === 0) return null
  return (
    <div className={styles.buy}>
      {subscriptions.length > 0 && (
        <ButtonLink look={isMain ? 'primary' : 'secondary'} to={pathOf('offers')}>
          {t('offers.subscribe')}
        </ButtonLink>
      )}
      {singles.map((offer) => {
        const price = amountText(offer.priceWithVat, place.language)
        const isRental = offer.offerType === 'transactional'
        const time = viewingTimeText(offer, { limitHours, now, place }, t)
        return (
          <Fragment key={offer.idOption}>
            <ButtonLink
              look={isMain && subscriptions.length === 0 ? 'primary' : 'secondary'}
              to={cartPath({ offerIds: [offer.idOption], ...content })}
              label={t(isRental ? 'offers.rentOf' : 'offers.buyOf', { price, title })}
            >
              {t(isRental ? 'offers.rent' : 'offers.buy', { price })}
            </ButtonLink>
            {time !== undefined && (
              <p className={styles.note}>
                {offer.title} · {time}
              </p>
            )}
          </Fragment>
        )
      })}
      {subscriptions.length + singles.length > 1 && (
        <CompareButton unlocking={unlocking} content={content} title={title} />
      )}
    </div>
  )
}

function CompareButton({
  unlocking,
  content,
  title,
}: {
  unlocking: Unlocking
  content: SoldContent
  title: string
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const now = useHour()
  const limitHours = useConfiguration().offers.rentalDisplayLimitHours
  const standing = useStandings()
  const navigate = useNavigate()

  async function compare(): Promise<void> {
    const to = await compareOffers(unlocking, { content, title }, { place, now, limitHours, standing, t })
    if (to !== null) await navigate({ href: to })
  }

  return (
    <Button
      look="plain"
      aria-haspopup="dialog"
      onHoverStart={preloadModals}
      onFocus={preloadModals}
      onPress={() => void compare()}
    >
      {t('offers.compare')}
    </Button>
  )
}
