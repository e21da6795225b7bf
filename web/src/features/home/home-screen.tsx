import type { Rail } from '@ondine/contract/catalogue'
import type { Item } from '@ondine/contract/entities'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { ImageHeights, preloadPicture } from '../../design/picture.tsx'
import { STAGE_SIZES } from '../../design/stage.tsx'
import { UNSEEN } from '../../design/unseen.ts'
import { useSession } from '../accounts/session.ts'
import { ContentRail } from '../catalogue/content-rail.tsx'
import { homeQuery } from '../catalogue/queries.ts'
import { isShort } from '../catalogue/rail-lines.ts'
import { RailLines } from '../catalogue/rail-lines.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { DrawnOnce } from '../drawn/drawn-once.tsx'
import { EditorialRail } from '../editorial/editorial-rail.tsx'
import { Part } from '../errors/part.tsx'
import { PartError } from '../errors/part-error.tsx'
import { ImportBanner } from '../imports/import-banner.tsx'
import { importProgressQuery } from '../imports/progress-query.ts'
import { EmptyHome } from './empty-home.tsx'
import { type Featured, Hero, stageImage, uprightImage } from './hero.tsx'
import styles from './home-screen.module.css'
import { useLiveRefresh } from './live-refresh.ts'

/** Home: a title that fills the first screen, what is live, what was begun, and the rails, as the operator composed them. */
export function HomeScreen() {
  const { t } = useTranslation()
  const { account, storefront } = useSession()
  const { shuffle } = useRouter().options.context.environment
  const query = homeQuery(account !== null, shuffle)
  const { data: rails, refetch } = useSuspenseQuery(query)
  const { data: imports } = useQuery({ ...importProgressQuery, enabled: storefront.demonstration })
  useLiveRefresh(rails, query.queryKey)
  const [first] = rails
  // Without anything to fill the screen with, home opens on rails; without these it says what is to come.
  const opens = first !== undefined && fillsScreen(first)
  // Articles are there before the first film.
  const empty = rails.every(({ kind }) => kind === 'editorial')

  return (
    <div className={styles.home} data-opens={opens || empty || undefined}>
      <h1 className={UNSEEN}>{`${storefront.name} · ${t('home.title')}`}</h1>
      {empty && <EmptyHome arriving={imports?.running === true} />}
      {opens && <HomeRail rail={first} retry={() => void refetch()} />}
      <ImportBanner />
      <HomeRails rails={opens ? rails.slice(1) : rails} retry={() => void refetch()} />
    </div>
  )
}

/** Rails of home, as many as the operator wants of those with few titles. What is on, and what the viewer chose, stays. */
export function HomeRails({ rails, retry }: { rails: readonly Rail[]; retry: () => void }) {
  const { shortRails } = useConfiguration().home
  const shown = shortRails === 'hide' ? rails.filter((rail) => OWN.has(rail.kind) || !isShort(rail)) : rails
  return <RailLines rails={shown}>{(rail) => <HomeRail rail={rail} retry={retry} />}</RailLines>
}

/** Rails that are as long as it happens. */
const OWN: ReadonlySet<Rail['kind']> = new Set(['live', 'continue', 'favorites'])

/** One rail of home, in its layout. One that fails says so in its place, and the others go on. */
function HomeRail({ rail, retry }: { rail: Rail; retry: () => void }) {
  const title = useRailTitle(rail)
  const { t } = useTranslation()
  if (rail.failed) return <PartError name={title} onRetry={retry} />
  if (rail.kind === 'editorial') {
    return (
      <Part name={title}>
        <EditorialRail name={rail.id} type={rail.editorialType ?? undefined} title={rail.title} />
      </Part>
    )
  }
  return (
    <Part name={title} from={[rail]}>
      {fillsScreen(rail) ? (
        <Opening rail={rail} />
      ) : (
        <ContentRail
          rail={{ ...rail, title }}
          note={rail.kind === 'live' ? t('home.now') : rail.subtitle}
          isInLine
        />
      )}
    </Part>
  )
}

/** The titles that fill the screen. The first one's picture is fetched before all else, whoever it was drawn for. */
function Opening({ rail }: { rail: Rail }) {
  const { account } = useSession()
  const heights = use(ImageHeights)
  const items = rail.items.filter(isTitle)
  const [first] = items
  const image = first === undefined ? null : stageImage(first)
  if (first !== undefined && image !== null) preloadPicture(image, uprightImage(first), STAGE_SIZES, heights)
  return (
    <DrawnOnce from={[rail, account?.status]}>
      <Hero
        name={rail.id}
        items={items}
        layout={rail.layout === 'FullScreen' ? 'FullScreen' : 'Hero'}
        titleSize={rail.titleSize ?? undefined}
      />
    </DrawnOnce>
  )
}

/** Rails that the operator gave no title have that of what fills them. */
function useRailTitle({ title, kind }: Rail): string {
  const { t } = useTranslation()
  if (title !== '') return title
  switch (kind) {
    case 'live':
      return t('home.live')
    case 'continue':
      return t('home.continue')
    case 'favorites':
      return t('home.favourites')
    case 'new':
      return t('home.new')
    case 'leaving':
      return t('home.leaving')
    default:
      return t('home.selection')
  }
}

/** Whether a rail is drawn as slides that fill the screen. Channels are none. */
function fillsScreen({ layout, items }: Rail): boolean {
  return (layout === 'Hero' || layout === 'FullScreen') && items.some(isTitle)
}

function isTitle(item: Item): item is Featured {
  return item.type !== 'channel'
}
