import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { environment } from '../api/environment.ts'
import { keep } from '../api/kept.ts'
import { VISIT_COOKIE } from '../api/page-context.ts'
import { FaultBoundary } from '../design/page/fault-boundary.tsx'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { reportFault } from '../features/ground/errors/report-fault.ts'
import { Notices } from '../features/ground/notices/notices.tsx'
import { useNative } from '../features/ground/platform/use-platform.ts'
import { isChild, useSession } from '../features/ground/session/session.ts'
import { browserTimeZone } from '../words/place.tsx'
import { AccountSettings } from './account/account-settings.tsx'
import { LandingBar } from './bar/landing-bar.tsx'
import { NavigationBar } from './bar/navigation-bar.tsx'
import { RegistrationBar } from './bar/registration-bar.tsx'
import { TabBar } from './bar/tab-bar.tsx'
import { fetchingAhead, whenIdle } from './browser/prefetch.ts'
import { Footer } from './footer.tsx'
import { GlobalLoader } from './global-loader.tsx'
import { barOf, hasFooter, isAccountScreen, tabBarOf } from './screen-rule.ts'
import styles from './shell.module.css'
import { useScreen } from './use-screen.ts'
import { useProfileLeadsHome, useStarted } from './use-start.ts'

const YEAR_SECONDS = 31_536_000

const VirtualRemote = lazy(() => import('./remote/virtual-remote.tsx'))

const BARS = {
  navigation: NavigationBar,
  landing: LandingBar,
  registration: RegistrationBar,
  none: () => null,
}

/** The default layout: a navigation bar, the screen, and the footer (V2.4-01). */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const { navigation } = useConfiguration()
  const screen = useScreen()
  const session = useSession()
  const native = useNative()
  const started = useStarted()
  useProfileLeadsHome()
  useEffect(() => {
    // The server cannot detect the time zone. This cookie sends the browser's time zone with all later requests.
    keep('timezone', browserTimeZone(), YEAR_SECONDS)
    keep(VISIT_COOKIE, String(environment().shuffle))
  }, [])
  const Bar = BARS[barOf(screen)]
  const tabs = tabBarOf(screen, { native, navBar: navigation.navBar })
  return (
    <>
      <a className={styles.skip} href="#content">
        {t('shell.skip')}
      </a>
      <GlobalLoader started={started} />
      <Bar />
      <main id="content" tabIndex={-1} className={styles.main} data-child={isChild(session) || undefined}>
        {isAccountScreen(screen) ? <AccountSettings>{children}</AccountSettings> : children}
      </main>
      {hasFooter(screen, native) && <Footer />}
      {tabs !== undefined && <TabBar windows={tabs} />}
      <LateParts />
      <Notices />
      {navigation.virtualRemote && (
        <Suspense>
          <VirtualRemote />
        </Suspense>
      )}
    </>
  )
}

/** The parts of the layout that a page does not need at once. They load when the browser is idle. */
function LateParts() {
  const [Parts, setParts] = useState<ComponentType>()
  useEffect(() => {
    const load = () => {
      fetchingAhead(import('./late-parts.tsx')).then(
        (parts) => setParts(() => parts.default),
        // The notice about a lost connection is one of these parts, so it cannot load without a connection.
        () => addEventListener('online', load, { once: true }),
      )
    }
    whenIdle(load)
  }, [])
  return (
    <FaultBoundary renderFallback={() => null} onFault={reportFault}>
      {Parts !== undefined && <Parts />}
    </FaultBoundary>
  )
}
