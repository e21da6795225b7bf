import { useRouter } from '@tanstack/react-router'
import { type ReactNode, use, useEffect, useRef } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { I18nextProvider } from 'react-i18next'
import { fetchTexts, newestTexts } from '../../../words/fetch-words.ts'
import { replaceTexts } from '../../../words/words.ts'
import { ConfigurationContext } from '../configuration/use-configuration.ts'

/** Provides the page's texts to its children, and updates them when an operator changes them. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  const { words, environment } = router.options.context
  const { language, identityKey } = environment
  // An error page needs texts, but may have no configuration.
  const state = use(ConfigurationContext)
  const first = state?.configuration.languages.default
  // Texts that are missing in the language come from the default language.
  const edition = [language, first].map((each) => `${each} ${state?.revisions[`words-${each}`] ?? 0}`).join()
  const shown = useRef(edition)

  useEffect(() => {
    if (shown.current === edition) return
    shown.current = edition
    fetchTexts(newestTexts(identityKey, language))
      .then((texts) => {
        replaceTexts(words, texts)
        // The heads of pages contain texts, so the routes compute the heads again.
        return router.invalidate()
      })
      // After a failure, the page keeps its current texts. The next change by an operator triggers another attempt.
      .catch(() => undefined)
  }, [edition, identityKey, language, router, words])

  return (
    <I18nProvider locale={words.language}>
      <I18nextProvider i18n={words}>{children}</I18nextProvider>
    </I18nProvider>
  )
}
