import type { Asset, Category } from '@ondine/contract/entities'
import { useSuspenseInfiniteQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { ActionRow, ButtonLink, RowWords } from '../../../design/buttons/button.tsx'
import { InfoIcon } from '../../../design/icons/icons.tsx'
import { ScreenHead } from '../../../design/page/screen-head.tsx'
import { Picture } from '../../../design/pictures/picture.tsx'
import { useSession } from '../../ground/session/session.ts'
import { EpisodeList } from './episode-list.tsx'
import { ListEnd } from './list-end.tsx'
import { playlistQuery } from './list-query.ts'
import { PlayButton } from './play-button.tsx'
import { assetAction } from './playing.ts'
import styles from './playlist.module.css'

/**
 * All episodes of a catalogue of series, one series after the other, season by season (spec 4).
 *
 * @param ids the ids of the series
 */
export function Playlist({ ids }: { ids: readonly number[] }) {
  const { t } = useTranslation()
  const query = useSuspenseInfiniteQuery(playlistQuery(ids))
  const shown = query.data.pages.flat()
  if (shown.length === 0) return null
  return (
    <>
      <h2 className={styles.title}>{t('playlist.episodes')}</h2>
      {shown.map(({ series: each, resume }) => (
        <section key={each.idCatalog} className={styles.series} aria-label={each.name}>
          <div className={styles.head}>
            <SeriesPicture series={each} />
            <div className={styles.words}>
              <h3 className={styles.name} dir="auto">
                {each.name}
              </h3>
              <p className={styles.synopsis} dir="auto">
                {each.synopsis || each.tagline}
              </p>
              <SeriesActions series={each} resume={resume} />
            </div>
          </div>
          {seasonsOf(each, t).map(({ idCatalog, name, assets }) => (
            <div key={idCatalog} className={styles.season}>
              <h4 className={styles.number}>{name}</h4>
              <EpisodeList episodes={assets} page={each.detailRoute} heading="h5" />
            </div>
          ))}
        </section>
      ))}
      <ListEnd query={query} />
    </>
  )
}

/** The screen of a service that has no series. */
export function EmptyPlaylist() {
  const { t } = useTranslation()
  return (
    <div className={styles.screen}>
      <ScreenHead title={t('playlist.title')} lead={t('playlist.empty')} />
    </div>
  )
}

/** The button that plays the next episode, and the link to the page of the series. */
function SeriesActions({ series, resume }: { series: Category; resume: Asset | null }) {
  const { t } = useTranslation()
  const session = useSession()
  const action = resume === null ? undefined : assetAction(resume, session, series.detailRoute, t, true)
  return (
    <ActionRow>
      {action !== undefined && <PlayButton action={action} />}
      <ButtonLink to={series.detailRoute} label={t('playlist.pageOf', { title: series.name })}>
        <InfoIcon />
        <RowWords>{t('playlist.page')}</RowWords>
      </ButtonLink>
    </ActionRow>
  )
}

function SeriesPicture({ series: { images, isBlurred } }: { series: Category }) {
  const image = images.background ?? images.default
  if (image === null) return null
  return (
    <div className={styles.picture}>
      <Picture image={image} sizes="(min-width: 760px) 40vw, 100vw" blurred={isBlurred} />
    </div>
  )
}

type Season = Pick<Category, 'idCatalog' | 'name' | 'assets'>

function seasonsOf({ idCatalog, categories, assets }: Category, t: TFunction): Season[] {
  const seasons = categories.filter((child) => child.isSeason && child.assets.length > 0)
  return seasons.length === 0 && assets.length > 0
    ? [{ idCatalog, name: t('detail.season', { number: 1 }), assets }]
    : seasons
}
