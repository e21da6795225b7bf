import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../design/button.tsx'
import { usePlace } from '../../words/place.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { pathOf } from '../links/content-link.ts'
import styles from './buy-buttons.module.css'
import { cartPath } from './offer-paths.ts'
import { amountText } from './offer-texts.ts'
import { offersOfQuery } from './offers-query.ts'
import { useShop } from './use-shop.ts'

const HOUR = 3600

/** What unlocks a title, where that is sold here: a subscription, a rental with what it gives. Nothing where nothing does. */
export function BuyButtons({ contentId, title }: { contentId: number; title: string }) {
  const { t } = useTranslation('offers')
  const { language } = usePlace()
  const { offers: sold } = useConfiguration()
  const { rentalShop, sellsSubscriptions } = useShop()
  const isHere = rentalShop.kind === 'here' || sellsSubscriptions
  const { data: offers = [] } = useQuery({ ...offersOfQuery(contentId), enabled: isHere })
  if (!isHere) return null
  const isSubscribed =
    sellsSubscriptions &&
    offers.some(({ offerType, requires }) => offerType === 'subscription' && requires.length === 0)
  const singles =
    sold.transactional === 'enabled' ? offers.filter(({ offerType }) => offerType !== 'subscription') : []
  if (!isSubscribed && singles.length === 0) return null
  return (
    <div className={styles.buy}>
      <div className={styles.buttons}>
        {isSubscribed && (
          <ButtonLink look="primary" to={pathOf('offers')}>
            {t('subscribe')}
          </ButtonLink>
        )}
        {singles.map(({ idOption, priceWithVat, offerType }) => {
          const price = amountText(priceWithVat, language)
          const isRental = offerType === 'transactional'
          return (
            <ButtonLink
              key={idOption}
              look={isSubscribed ? 'secondary' : 'primary'}
              to={cartPath({ offerIds: [idOption], contentId })}
              label={t(isRental ? 'rentOf' : 'buyOf', { price, title })}
            >
              {t(isRental ? 'rent' : 'buy', { price })}
            </ButtonLink>
          )
        })}
      </div>
      {singles.map(({ idOption, rightSlot, title: name }) =>
        rightSlot === null ? null : (
          <p key={idOption} className={styles.note}>
            {name} · {t('rentalHours', { count: Math.round(rightSlot / HOUR) })}
          </p>
        ),
      )}
    </div>
  )
}
