import { useRouter } from '@tanstack/react-router'
import { type ReactNode, use, useEffect, useRef } from 'react'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { I18nextProvider } from 'react-i18next'
import { fetchTexts, newestTexts } from '../../words/fetch-words.ts'
import { replaceTexts } from '../../words/words.ts'
import { ConfigurationContext } from '../configuration/use-configuration.ts'

/** Gives the words of the page to everything below, and follows what operators change of them. */
export function WordsProvider({ children }: { children: ReactNode }) {
  const router = useRouter()
  const { words, environment } = router.options.context
  const { language, identityKey } = environment
  // A page that says why it cannot be shown has words too, and maybe no configuration.
  const state = use(ConfigurationContext)
  const first = state?.configuration.languages.default
  // A text that the language has not comes from the default one.
  const edition = [language, first].map((each) => `${each} ${state?.revisions[`words-${each}`] ?? 0}`).join()
  const shown = useRef(edition)

  useEffect(() => {
    if (shown.current === edition) return
    shown.current = edition
    fetchTexts(newestTexts(identityKey, language))
      .then((texts) => {
        replaceTexts(words, texts)
        // Heads are made of words too.
        return router.invalidate()
      })
      // What the page says already is still right; the next change is another chance.
      .catch(() => undefined)
  }, [edition, identityKey, language, router, words])

  return (
    <I18nProvider locale={words.language}>
      <I18nextProvider i18n={words}>{children}</I18nextProvider>
    </I18nProvider>
  )
}
