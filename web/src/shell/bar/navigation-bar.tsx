import { useLocation, useSearch } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { BareLink } from '../../design/buttons/link.tsx'
import { ChevronLeftIcon } from '../../design/icons/icons.tsx'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import { DrawnOnce } from '../../features/ground/drawn/drawn-once.tsx'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { isTopLevel } from '../../features/ground/links/top-level.ts'
import { useBack } from '../../features/ground/links/use-back.ts'
import { useNative } from '../../features/ground/platform/use-platform.ts'
import { useSession } from '../../features/ground/session/session.ts'
import { useHeaderMenu } from '../menu.ts'
import { hasBurger, tabBarOf } from '../screen-rule.ts'
import { useSection } from '../section.ts'
import { useScreen } from '../use-screen.ts'
import { Burger } from './burger.tsx'
import { HomeLogo } from './logo.tsx'
import { MainMenu } from './main-menu.tsx'
import styles from './navigation-bar.module.css'
import { ProfileMenu } from './profile-menu.tsx'
import { SearchBox } from './search-box.tsx'

/** Scroll position from which the bar has a solid background, in px (V4-11). */
const STICKY_AFTER = 16

/** The navigation bar: the logo, the menu, the search, and the active profile (V2.4-02, V2.4-06). */
export function NavigationBar() {
  const { t } = useTranslation()
  const { account } = useSession()
  const { search, navigation } = useConfiguration()
  const platform = { native: useNative(), navBar: navigation.navBar }
  const menu = useHeaderMenu()
  const { screen, categoryIds } = useSection()
  const solid = useSyncExternalStore(onScroll, isScrolled, () => false)
  const back = useBack()
  const isDeep = screen === undefined || !isTopLevel(screen)
  return (
    <header className={styles.bar} data-solid={solid || undefined}>
      {isDeep && (
        <Button look="plain" className={styles.back} aria-label={t('shell.back')} onPress={back}>
          <ChevronLeftIcon />
        </Button>
      )}
      <DrawnOnce from={['menu', menu, tabBarOf(screen, platform), categoryIds]}>
        <HomeLogo />
        {tabBarOf(screen, platform) !== 'all' && <MainMenu items={menu} />}
      </DrawnOnce>
      <div className={styles.side}>
        {search.enabled && <SearchBox />}
        {account === null ? <SignIn /> : <ProfileMenu />}
        {hasBurger(screen, platform) && <Burger items={menu} />}
      </div>
    </header>
  )
}

/** The sign-in link. After the sign-in, the viewer returns to this page, or from home to the page that led there. */
export function SignIn() {
  const { t } = useTranslation()
  const screen = useScreen()
  const href = useLocation({ select: (location) => location.href })
  const back = useSearch({ strict: false, select: (search) => search.back })
  const wanted = (screen === 'home' ? back : undefined) ?? href
  if (screen?.startsWith('auth-') === true) return null
  const to =
    wanted === '/' ? pathOf('auth-login') : `${pathOf('auth-login')}?back=${encodeURIComponent(wanted)}`
  return (
    <BareLink to={to} className={styles.signIn}>
      {t('shell.signIn')}
    </BareLink>
  )
}

let scrolled = false

/**
 * Reads the scroll position in the next frame. During hydration, reading it would force a layout of the whole
 * page.
 */
function onScroll(changed: () => void): () => void {
  const look = () => {
    scrolled = scrollY > STICKY_AFTER
    changed()
  }
  const first = requestAnimationFrame(look)
  addEventListener('scroll', look, { passive: true })
  return () => {
    cancelAnimationFrame(first)
    scrolled = false
    removeEventListener('scroll', look)
  }
}

function isScrolled(): boolean {
  return scrolled
}
