import type { Rail } from '@ondine/contract/catalogue'
import type { Item } from '@ondine/contract/entities'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSession } from '../accounts/session.ts'
import { ContentRail } from '../catalogue/content-rail.tsx'
import { homeQuery } from '../catalogue/queries.ts'
import { Hero } from './hero.tsx'
import styles from './home-screen.module.css'

/** Home: a title that fills the first screen, what is live, what was begun, and the rails. */
export function HomeScreen() {
  const { t } = useTranslation()
  const { account, storefront } = useSession()
  const { data: rails } = useSuspenseQuery(homeQuery(account !== null))
  const featured = rails.find((rail) => rail.kind === 'hero')?.items.find(isTitle)
  const rest = rails.filter((rail) => rail.kind !== 'hero')
  return (
    <div className={styles.home}>
      <h1 className={styles.heading}>{`${storefront.name} · ${t('home.title')}`}</h1>
      {featured !== undefined && <Hero item={featured} />}
      <div className={styles.rails}>
        {rest.map((rail: Rail) => (
          <ContentRail
            key={rail.id}
            rail={rail}
            note={rail.kind === 'live' ? t('home.now') : rail.subtitle}
          />
        ))}
      </div>
    </div>
  )
}

function isTitle(item: Item): item is Exclude<Item, { type: 'channel' }> {
  return item.type !== 'channel'
}
