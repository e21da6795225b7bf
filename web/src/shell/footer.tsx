import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useNow } from '../design/clock.ts'
import { WordMark } from '../design/word-mark.tsx'
import { useSession } from '../features/accounts/session.ts'
import { pathOf } from '../features/links/content-link.ts'
import { LanguageChoice } from '../features/words/language-choice.tsx'
import { usePlace } from '../words/place.tsx'
import styles from './footer.module.css'

/** The foot of a page: ways on, the language, and two copyright lines (V2.4-10). */
export function Footer() {
  const { t } = useTranslation()
  const { storefront } = useSession()
  const { timeZone } = usePlace()
  const now = useNow()
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone }).format(now * 1000)
  const columns = [
    {
      title: t('shell.about'),
      links: [
        { title: t('shell.allContent'), to: pathOf('assets') },
        { title: t('shell.live'), to: pathOf('live') },
        { title: t('shell.guide'), to: pathOf('epg') },
      ],
    },
    {
      title: t('shell.account'),
      links: [
        { title: t('shell.offers'), to: pathOf('offers') },
        { title: t('shell.devices'), to: pathOf('account-devices') },
      ],
    },
    {
      title: t('shell.help'),
      links: [{ title: t('shell.legal'), to: pathOf('legal') }],
    },
  ]
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div className={styles.mark}>
          <WordMark />
        </div>
        {columns.map((column) => (
          <div key={column.title}>
            <h2 className={styles.heading}>{column.title}</h2>
            <ul>
              {column.links.map((link) => (
                <li key={link.to}>
                  <Link to={link.to} className={styles.link}>
                    {link.title}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <LanguageChoice headingClass={styles.heading} />
      </div>
      <p className={styles.copyright}>{t('shell.copyright', { year, name: storefront.name })}</p>
      {storefront.demonstration && <p className={styles.copyright}>{t('shell.copyrightDemonstration')}</p>}
    </footer>
  )
}
