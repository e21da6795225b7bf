import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { browserTimeZone } from '../words/place.tsx'
import { Footer } from './footer.tsx'
import { hasFooter } from './footer-rule.ts'
import { NavigationBar } from './navigation-bar.tsx'
import styles from './shell.module.css'
import { TabBar } from './tab-bar.tsx'

const YEAR_SECONDS = 31_536_000

/** The default layout: navigation above, the screen, the footer below (V2.4-01). */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const footer = useLocation({ select: ({ pathname }) => hasFooter(pathname) })
  useEffect(() => {
    // The server cannot ask for the zone: it learns it from the last visit.
    document.cookie = `timezone=${encodeURIComponent(browserTimeZone())};path=/;max-age=${YEAR_SECONDS};samesite=lax`
  }, [])
  return (
    <>
      <a className={styles.skip} href="#content">
        {t('shell.skip')}
      </a>
      <NavigationBar />
      <main id="content" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      {footer && <Footer />}
      <TabBar />
    </>
  )
}
