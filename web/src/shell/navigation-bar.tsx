import { Link, useLocation } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { WordMark } from '../design/word-mark.tsx'
import { useSession } from '../features/accounts/session.ts'
import { pathOf } from '../features/links/content-link.ts'
import { AccountMenu } from './account-menu.tsx'
import { useMenu } from './menu.ts'
import styles from './navigation-bar.module.css'

/** From here on the bar stands on a ground of its own, in pixels scrolled (V4-11). */
const STICKY_AFTER = 16

const SIGN_IN = pathOf('auth-login')

/** The bar at the top: the mark, the menu, and who is watching (V2.4-02, V2.4-06). */
export function NavigationBar() {
  const { t } = useTranslation()
  const { account, storefront } = useSession()
  const menu = useMenu()
  const solid = useSyncExternalStore(onScroll, isScrolled, () => false)
  const path = useLocation({ select: (location) => location.pathname + location.searchStr })
  return (
    <header className={styles.bar} data-solid={solid || undefined}>
      <Link to="/" className={styles.mark} aria-label={t('shell.homeLink', { name: storefront.name })}>
        <WordMark />
      </Link>
      <nav className={styles.menu} aria-label={t('shell.mainNavigation')}>
        <ul>
          {menu.map((entry) => (
            <li key={entry.id}>
              <Link to={entry.to} className={styles.entry} activeOptions={{ exact: entry.to === '/' }}>
                {entry.title}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.side}>
        {account !== null && <AccountMenu />}
        {account === null && !path.startsWith(SIGN_IN) && (
          <Link to="/auth/login" search={path === '/' ? {} : { back: path }} className={styles.signIn}>
            {t('shell.signIn')}
          </Link>
        )}
      </div>
    </header>
  )
}

function onScroll(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}

function isScrolled(): boolean {
  return scrollY > STICKY_AFTER
}
