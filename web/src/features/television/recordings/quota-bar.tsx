import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TextLink } from '../../../design/buttons/link.tsx'
import { secondsText } from '../../../words/format.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useShop } from '../../rights/offers/use-shop.ts'
import styles from './quota-bar.module.css'
import { isLow, knownTime, partText, timeParts } from './recording-time.ts'
import { quotaQuery } from './recordings-query.ts'

/**
 * The recording time of the account: used, reserved for recordings in progress, planned, and left (A6-10). Renders
 * nothing for an account without recording time.
 */
export function QuotaBar() {
  const { t } = useTranslation()
  const { shop } = useShop()
  const { data } = useQuery(quotaQuery)
  const time = knownTime(data)
  if (data === undefined || time === undefined) return null
  const parts = timeParts(data.npvr).filter(({ name, milliseconds }) => milliseconds > 0 || name === 'used')
  const text = (seconds: number) => secondsText(seconds, t)
  const left = t('recordings.leftAfter', { left: text(time.left), available: text(time.available) })
  return (
    <section className={styles.quota} aria-label={t('recordings.space')}>
      <p className={styles.head} data-low={isLow(time) || undefined}>
        <span className={styles.left}>{left}</span>
        {isLow(time) && shop.kind !== 'closed' && (
          <TextLink to={pathOf('offers')}>{t('recordings.moreHours')}</TextLink>
        )}
      </p>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(({ name, milliseconds }) => (
          <span
            key={name}
            className={styles.part}
            data-part={name}
            style={{ flexBasis: `${(100 * milliseconds) / data.npvr.available}%` }}
          />
        ))}
      </div>
      <ul className={styles.legend}>
        {parts.map((part) => (
          <li key={part.name} data-part={part.name}>
            {partText(part, t)}
          </li>
        ))}
      </ul>
    </section>
  )
}
