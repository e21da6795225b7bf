import type { Rail } from '@ondine/contract/catalogue'
import type { Item } from '@ondine/contract/entities'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '../accounts/session.ts'
import { ContentRail } from '../catalogue/content-rail.tsx'
import { homeQuery } from '../catalogue/queries.ts'
import { ImportBanner } from '../imports/import-banner.tsx'
import { importProgressQuery } from '../imports/progress-query.ts'
import { EmptyHome } from './empty-home.tsx'
import { type Featured, Hero } from './hero.tsx'
import styles from './home-screen.module.css'
import { useLiveRefresh } from './live-refresh.ts'

/** Home: a title that fills the first screen, what is live, what was begun, and the rails. */
export function HomeScreen() {
  const { t } = useTranslation()
  const { account, storefront } = useSession()
  const query = homeQuery(account !== null)
  const { data: rails } = useSuspenseQuery(query)
  const { data: imports } = useQuery({ ...importProgressQuery, enabled: storefront.demonstration })
  useLiveRefresh(rails, query.queryKey)
  const featured = rails.flatMap((rail) => (rail.kind === 'hero' ? rail.items.filter(isTitle) : []))
  const rest = rails.filter((rail) => rail.kind !== 'hero')

  /** Rails that the page makes itself have no name of their own. */
  function named(rail: Rail): Rail {
    if (rail.title !== '' || rail.kind === 'category' || rail.kind === 'hero') return rail
    return { ...rail, title: t(rail.kind === 'live' ? 'home.live' : 'home.continue') }
  }

  return (
    <div className={styles.home}>
      <h1 className={styles.heading}>{`${storefront.name} · ${t('home.title')}`}</h1>
      {featured.length > 0 ? <Hero items={featured} /> : <EmptyHome arriving={imports?.running === true} />}
      <ImportBanner />
      {rest.map((rail) => (
        <ContentRail
          key={rail.id}
          rail={named(rail)}
          note={rail.kind === 'live' ? t('home.now') : rail.subtitle}
        />
      ))}
    </div>
  )
}

function isTitle(item: Item): item is Featured {
  return item.type !== 'channel'
}
