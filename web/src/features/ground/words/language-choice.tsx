import { isLanguage, type Language, localeOf } from '@ondine/contract/languages'
import { useTranslation } from 'react-i18next'
import { environment } from '../../../api/environment.ts'
import { keep } from '../../../api/kept.ts'
import { prefixOf, withoutPrefix, withPrefix } from '../../../api/language-prefix.ts'
import { LANGUAGE_COOKIE } from '../../../api/page-context.ts'
import { Button } from '../../../design/buttons/button.tsx'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import styles from './language-choice.module.css'

const YEAR_SECONDS = 31_536_000

/**
 * The languages of the storefront. Each name is written in the language itself. Renders nothing for a single
 * language.
 */
export function LanguageChoice({ headingClass }: { headingClass?: string | undefined }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const codes = useConfiguration().languages.languages.filter(isLanguage)
  if (codes.length < 2) return null
  return (
    <fieldset className={styles.languages}>
      <legend className={headingClass}>{t('shell.language')}</legend>
      {codes.map((code) => {
        const { tag, ownName, direction } = localeOf(code)
        return (
          <Button
            key={code}
            id={`language-${code}`}
            look="plain"
            className={styles.language}
            aria-pressed={code === language}
            onPress={() => chooseLanguage(code)}
          >
            {/* Suppresses React's hydration warning, because the server and the browser may have different
                names for a language. */}
            <span lang={tag} dir={direction} suppressHydrationWarning>
              {ownName}
            </span>
          </Button>
        )
      })}
    </fieldset>
  )
}

/** Stores the language in its cookie and reloads the page in that language (V9-19). */
function chooseLanguage(language: Language): void {
  keep(LANGUAGE_COOKIE, language, YEAR_SECONDS)
  // If addresses contain the language, the address of the page changes with the language.
  const { prefix } = environment()
  if (prefix.path === '') location.reload()
  else {
    const { pathname, search, hash } = location
    const there = withPrefix(withoutPrefix(pathname, prefix), { ...prefix, path: prefixOf(language) })
    location.assign(there + search + hash)
  }
}
