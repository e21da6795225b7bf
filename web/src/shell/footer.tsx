import { useTranslation } from 'react-i18next'
import { useNow } from '../design/time/clock.ts'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { DrawnOnce } from '../features/ground/drawn/drawn-once.tsx'
import { useSession } from '../features/ground/session/session.ts'
import { yearText } from '../words/dates.ts'
import { usePlace } from '../words/place.tsx'
import { FullLogo } from './bar/logo.tsx'
import styles from './footer.module.css'
import { LinkColumns } from './link-columns.tsx'
import { useFooterMenu } from './menu.ts'
import { StoreBadges } from './store-badges.tsx'

/**
 * The footer: menu columns, the choice of language, links to app stores, and two copyright lines (V2.4-10,
 * V2.4-11).
 */
export function Footer() {
  const columns = useFooterMenu()
  const { storefront } = useSession()
  return (
    <DrawnOnce from={['footer', columns, storefront.name, storefront.demonstration]}>
      <footer className={styles.footer}>
        <div className={styles.columns}>
          <div className={styles.mark}>
            <FullLogo />
          </div>
          <LinkColumns columns={columns} />
          <StoreBadges />
        </div>
        <Copyright />
      </footer>
    </DrawnOnce>
  )
}

/** Two lines: the operator's text in the page's language, or else the service's text. */
function Copyright() {
  const { t } = useTranslation()
  const { storefront } = useSession()
  const { brand, navigation } = useConfiguration()
  const { language, timeZone } = usePlace()
  const now = useNow()
  const year = yearText(now, { timeZone })
  const name = brand.name || storefront.name
  const own = navigation.copyright.map((line) => line[language] ?? Object.values(line)[0] ?? '')
  const ours = [
    t('shell.copyright', { year, name }),
    t(storefront.demonstration ? 'shell.copyrightDemonstration' : 'shell.copyrightWorks'),
  ]
  return [0, 1].map((line) => (
    <p key={line} className={styles.copyright}>
      {(own[line] || ours[line])?.replaceAll('{year}', year).replaceAll('{name}', name)}
    </p>
  ))
}
