import type { Rail } from '@ondine/contract/catalogue'
import type { Image } from '@ondine/contract/entities'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../design/button.tsx'
import { Picture } from '../../design/picture.tsx'
import { Waves } from '../../design/waves.tsx'
import { usePlace } from '../../words/place.tsx'
import { useSession } from '../accounts/session.ts'
import { homeQuery } from '../catalogue/queries.ts'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { pathOf } from '../links/content-link.ts'
import { HomeRail } from './home-screen.tsx'
import styles from './landing-screen.module.css'

/** As many posters as the wall behind the words takes on the widest screen. */
const WALL = 40
/** Fewer different ones make no wall: they would stand there again and again. */
const FEWEST = 4

/** The page that an operator's posters and letters lead to: what the service is, the ways in, and what there is to watch. */
export function LandingScreen() {
  const { t } = useTranslation()
  const { language } = usePlace()
  const { account } = useSession()
  const { accounts, brand, seo } = useConfiguration()
  const { shuffle } = useRouter().options.context.environment
  const { data: rails, refetch } = useSuspenseQuery(homeQuery(account !== null, shuffle))
  const posters = postersOf(rails)
  return (
    <>
      <header className={styles.head}>
        {posters.length < FEWEST ? (
          <Waves />
        ) : (
          <div className={styles.wall} aria-hidden="true">
            {Array.from({ length: WALL }, (_, index) => posters[index % posters.length]).map(
              (poster, place) =>
                // One poster may stand at several places.
                poster !== undefined && (
                  <Picture key={`${place} ${poster.url}`} image={poster} sizes="200px" />
                ),
            )}
          </div>
        )}
        <h1 className={styles.title}>{brand.tagline[language] ?? t('head.tagline')}</h1>
        <p className={styles.text}>{seo.description[language] ?? t('head.description')}</p>
        <div className={styles.actions}>
          {account === null && accounts.isAllowedToRegister && (
            <ButtonLink look="primary" to={pathOf('register-informations')}>
              {t('shell.register')}
            </ButtonLink>
          )}
          <ButtonLink
            look={account === null && accounts.isAllowedToRegister ? 'secondary' : 'primary'}
            to={pathOf('home')}
          >
            {t('home.lookAround')}
          </ButtonLink>
        </div>
      </header>
      <div className={styles.rails}>
        {rails
          .filter(({ layout }) => layout !== 'Hero' && layout !== 'FullScreen')
          .map((rail) => (
            <HomeRail key={rail.id} rail={rail} retry={() => void refetch()} />
          ))}
      </div>
    </>
  )
}

/** The posters of all titles in the rails, each once. */
function postersOf(rails: readonly Rail[]): Image[] {
  const posters = rails
    .flatMap(({ items }) => items)
    .flatMap((item) => (item.type === 'asset' ? [item.payload.posterImage] : []))
  return [...new Map(posters.flatMap((each) => (each === null ? [] : [[each.url, each] as const]))).values()]
}
