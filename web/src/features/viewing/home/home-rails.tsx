import type { Rail } from '@ondine/contract/catalogue'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { ImageHeights, preloadPicture } from '../../../design/pictures/picture.tsx'
import { STAGE_SIZES } from '../../../design/pictures/stage.tsx'
import { ContentRail } from '../../content/catalogue/content-rail.tsx'
import { fillsScreen, isShort, isTitle } from '../../content/catalogue/rail-lines.ts'
import { RailLines } from '../../content/catalogue/rail-lines.tsx'
import { EditorialRail } from '../../content/editorial/editorial-rail.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { DrawnOnce } from '../../ground/drawn/drawn-once.tsx'
import { Part } from '../../ground/errors/part.tsx'
import { PartError } from '../../ground/errors/part-error.tsx'
import { isChild, useSession } from '../../ground/session/session.ts'
import { RecordingCard } from '../../television/recordings/recording-card.tsx'
import { Hero, stageImage, uprightImage } from './hero.tsx'

/**
 * The rails of home. The configuration can hide short rails, except the rails of live channels, of titles in
 * progress and of favourites.
 */
export function HomeRails({
  rails,
  retry,
  areApart = false,
}: {
  rails: readonly Rail[]
  retry: () => void
  /** Whether each rail has its own line, as in {@link RailLines}. */
  areApart?: boolean
}) {
  const { shortRails } = useConfiguration().home
  const shown = shortRails === 'hide' ? rails.filter((rail) => OWN.has(rail.kind) || !isShort(rail)) : rails
  return (
    <RailLines rails={shown} areApart={areApart}>
      {(rail, isAlone) => <HomeRail rail={rail} retry={retry} isAlone={isAlone} />}
    </RailLines>
  )
}

/** Kinds of rails that are shown even if they are short. */
const OWN: ReadonlySet<Rail['kind']> = new Set(['live', 'continue', 'favorites'])

/** A rail of home in its layout. If the service could not fill the rail, a message stands in its place. */
export function HomeRail({
  rail,
  retry,
  isAlone = false,
}: {
  rail: Rail
  retry: () => void
  /** Whether the rail is short and alone in its line, as in {@link ContentRail}. */
  isAlone?: boolean
}) {
  const title = useRailTitle(rail)
  const session = useSession()
  const { t } = useTranslation()
  if (rail.failed) return <PartError name={title} onRetry={retry} />
  if (rail.kind === 'editorial') {
    return <EditorialRail name={rail.id} type={rail.editorialType ?? undefined} title={rail.title} />
  }
  return (
    <Part name={title} from={[rail]}>
      {fillsScreen(rail) ? (
        <Opening rail={rail} />
      ) : (
        <ContentRail
          rail={{ ...rail, title }}
          note={rail.kind === 'live' && !isChild(session) ? t('home.now') : rail.subtitle}
          isAlone={isAlone}
          renderRecording={(recording, layout) => (
            <RecordingCard
              recording={recording}
              layout={layout}
              list={rail.kind === 'continue' ? 'begun' : 'favourites'}
            />
          )}
        />
      )}
    </Part>
  )
}

/**
 * The titles that fill the screen. Preloads the picture of the first title, even if the server has the rail in its
 * cache of rendered parts.
 */
function Opening({ rail }: { rail: Rail }) {
  const { account, profile } = useSession()
  const heights = use(ImageHeights)
  const items = rail.items.filter(isTitle)
  const [first] = items
  const image = first === undefined ? null : stageImage(first)
  if (first !== undefined && image !== null) preloadPicture(image, uprightImage(first), STAGE_SIZES, heights)
  return (
    <DrawnOnce from={[rail, account?.status, profile?.kidProfile]}>
      <Hero
        name={rail.id}
        items={items}
        layout={rail.layout === 'FullScreen' ? 'FullScreen' : 'Hero'}
        titleSize={rail.titleSize ?? undefined}
      />
    </DrawnOnce>
  )
}

/**
 * Returns the title of a rail. If the operator has set no title, returns a description of the rail's content, with
 * other words for a child.
 */
function useRailTitle({ title, kind }: Rail): string {
  const { t } = useTranslation(isChild(useSession()) ? 'child' : 'home')
  if (title !== '') return title
  switch (kind) {
    case 'live':
    case 'continue':
    case 'new':
    case 'leaving':
      return t(kind)
    case 'favorites':
      return t('favourites')
    default:
      return t('selection')
  }
}
