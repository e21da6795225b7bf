import type { Offer } from '@ondine/contract/offers'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { PRICE_PANEL, PRICE_SCREEN } from '../../../design/cards/price-panel.ts'
import { StruckPrice } from '../../../design/cards/struck-price.tsx'
import { Tag } from '../../../design/cards/tag.tsx'
import { CheckIcon } from '../../../design/icons/icons.tsx'
import { amountText } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import styles from './offer-screen.module.css'
import { priceOf, withoutBeginning } from './offer-texts.ts'
import { useOfferTags } from './plan-card.tsx'
import { useStanding } from './standing.ts'

/**
 * The details of an offer (A2.1-22): benefits, price, conditions and legal text.
 *
 * @param children the link that buys the offer
 */
export function OfferScreen({ offer, children }: { offer: Offer; children: ReactNode }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { title, description, advantages, specialConditions, legalCopy } = offer
  const isOpen = useStanding(offer) === 'open'
  const price =
    offer.offerType === 'subscription'
      ? priceOf(isOpen ? offer : withoutBeginning(offer), language, t)
      : {
          amount: amountText(offer.priceWithVat, language),
          per: undefined,
          note: undefined,
          before: undefined,
        }
  return (
    <div className={`${PRICE_SCREEN} ${styles.screen}`}>
      <header className={styles.head}>
        <p className={styles.tags}>
          {useOfferTags(offer).map((tag) => (
            <Tag key={tag.text} {...tag} />
          ))}
        </p>
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
        {description !== '' && <p className={styles.lead}>{description}</p>}
      </header>
      <aside className={`${PRICE_PANEL} ${styles.buy}`}>
        <p className={styles.price}>
          {price.before !== undefined && <StruckPrice {...price.before} />}{' '}
          <span className={styles.now}>
            <span className={styles.amount}>{price.amount}</span>{' '}
            {price.per !== undefined && <span className={styles.per}>{price.per}</span>}
          </span>
        </p>
        {price.note !== undefined && <p className={styles.per}>{price.note}</p>}
        {children}
        <ButtonLink to={pathOf('offers')}>{t('offers.all')}</ButtonLink>
      </aside>
      <div className={styles.about}>
        {advantages.length > 0 && (
          <section aria-labelledby="includes">
            <h2 id="includes" className={styles.heading}>
              {t('offers.includes')}
            </h2>
            <ul className={styles.features}>
              {advantages.map((advantage) => (
                <li key={advantage}>
                  <CheckIcon />
                  <span>{advantage}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {specialConditions.length > 0 && (
          <section aria-labelledby="conditions">
            <h2 id="conditions" className={styles.heading}>
              {t('offers.conditions')}
            </h2>
            <ul className={styles.conditions}>
              {specialConditions.map((condition) => (
                <li key={condition}>{condition}</li>
              ))}
            </ul>
          </section>
        )}
        {legalCopy !== '' && (
          <section aria-labelledby="legal">
            <h2 id="legal" className={styles.heading}>
              {t('offers.legal')}
            </h2>
            <p className={styles.legal}>{legalCopy}</p>
          </section>
        )}
      </div>
    </div>
  )
}
