import { Link } from '@tanstack/react-router'
import { Button } from 'react-aria-components/Button'
import { useTranslation } from 'react-i18next'
import { COLUMNS } from './menu.ts'

const LANGUAGES = { fr: 'Français', en: 'English' }

/** Shows the footer of every page. */
export function Footer() {
  const { t, i18n } = useTranslation()
  return (
    <footer className="footer">
      {COLUMNS.map(({ name, entries }) => (
        <nav key={name} aria-label={t(name)}>
          <h2>{t(name)}</h2>
          <ul>
            {entries.map((link) => (
              <li key={link.path}>
                <Link className="link" to={link.path}>
                  {t(link.name)}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ))}
      <fieldset>
        <legend>{t('footer.language')}</legend>
        {Object.entries(LANGUAGES).map(([language, name]) => (
          <Button key={language} className="language" aria-pressed={language === i18n.language}>
            <span lang={language}>{name}</span>
          </Button>
        ))}
      </fieldset>
      <p>{t('footer.rights', { year: 2026 })}</p>
      <p>{t('footer.works')}</p>
    </footer>
  )
}
