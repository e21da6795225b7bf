import type { Rail } from '@ondine/contract/catalogue'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import '../../../design/icons/waves.module.css'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { homeQuery } from '../../content/catalogue/queries.ts'
import { fillsScreen } from '../../content/catalogue/rail-lines.ts'
import { ImportBanner } from '../../content/library/import-banner.tsx'
import { importProgressQuery } from '../../content/library/progress-query.ts'
import { useSession } from '../../ground/session/session.ts'
import { ChildHome } from './child-home.tsx'
import './empty-home.module.css'
import { HomeRail, HomeRails } from './home-rails.tsx'
import styles from './home-screen.module.css'
import { useLiveRefresh } from './live-refresh.ts'

// Only a new service has no titles. The styles are in the page, because the server draws this part too.
const EmptyHome = lazy(() => import('./empty-home.tsx'))

/**
 * The home page that the operator composed for this kind of viewer. Children and adults have different home pages
 * (V3-32).
 */
export function HomeScreen() {
  const session = useSession()
  const { profile } = session
  const { shuffle } = useRouter().options.context.environment
  const query = homeQuery(session, shuffle)
  const { data: rails, refetch } = useSuspenseQuery(query)
  useLiveRefresh(rails, query.queryKey)
  const retry = () => void refetch()
  return profile?.kidProfile === true ? (
    <ChildHome profile={profile} rails={rails} retry={retry} />
  ) : (
    <Home rails={rails} retry={retry} />
  )
}

/** Home of a signed-out viewer or an adult: first a title that fills the screen, if any, and then the rails. */
function Home({ rails, retry }: { rails: readonly Rail[]; retry: () => void }) {
  const { t } = useTranslation()
  const { storefront } = useSession()
  const { data: imports } = useQuery({ ...importProgressQuery, enabled: storefront.demonstration })
  const [first] = rails
  // Without a title that fills the screen, home begins with the rails. Without rails, home says that titles will
  // follow.
  const opens = first !== undefined && fillsScreen(first)
  // The service has articles before its first film, so home counts as empty if it has only rails of articles.
  const empty = rails.every(({ kind }) => kind === 'editorial')

  return (
    <div className={styles.home} data-opens={opens || empty || undefined}>
      <h1 className={UNSEEN}>{`${storefront.name} · ${t('home.title')}`}</h1>
      {empty && (
        <Suspense>
          <EmptyHome arriving={imports?.running === true} />
        </Suspense>
      )}
      {opens && <HomeRail rail={first} retry={retry} />}
      <ImportBanner />
      <HomeRails rails={opens ? rails.slice(1) : rails} retry={retry} />
    </div>
  )
}
