import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { dateText } from '../../../words/dates.ts'
import { usePlace } from '../../../words/place.tsx'
import { type ElsewhereOffer, isRenewedElsewhere, STORE_PAGES } from './elsewhere.ts'
import styles from './products-screen.module.css'

/**
 * The row of a plan that was bought elsewhere, with the end of its paid time and the place where it is managed.
 */
export function ElsewhereRow({ offer }: { offer: ElsewhereOffer }) {
  const { t } = useTranslation('products')
  const place = usePlace()
  const heading = useId()
  const { title, source, userValidityTo } = offer
  const where = t(source)
  return (
    <li className={styles.product} aria-labelledby={heading}>
      <div className={styles.words}>
        <h2 id={heading} className={styles.name}>
          {title}
        </h2>
        {userValidityTo !== null && (
          <p className={styles.next}>
            {t(isRenewedElsewhere(offer) ? 'renewsElsewhere' : 'ends', {
              date: dateText(userValidityTo, place),
            })}
          </p>
        )}
        <p className={styles.card}>{t('managedIn', { where })}</p>
      </div>
      {source !== 'subscriptionService' && (
        <ButtonGroup>
          <ButtonLink to={STORE_PAGES[source]} aria-label={t('manageLabel', { title, where })}>
            {t('manage', { where })}
          </ButtonLink>
        </ButtonGroup>
      )}
    </li>
  )
}
