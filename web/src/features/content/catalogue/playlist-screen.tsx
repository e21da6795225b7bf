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
import styles from './playlist-screen.module.css'

/** All episodes of a category of series, one series after the other, season by season (spec 4). */
export function PlaylistScreen({ title, ids }: { title: string; ids: readonly number[] }) {
  const { t } = useTranslation()
  const query = useSuspenseInfiniteQuery(playlistQuery(ids))
  const shown = query.data.pages.flat()
  return (
    <div className={styles.screen}>
      <ScreenHead
        title={title || t('playlist.title')}
        lead={t(shown.length === 0 ? 'playlist.empty' : 'playlist.text')}
      />
      {shown.map(({ series: each, resume }) => (
        <section key={each.idCatalog} className={styles.series} aria-label={each.name}>
          <div className={styles.head}>
            <SeriesPicture series={each} />
            <div className={styles.words}>
              <h2 className={styles.name} dir="auto">
                {each.name}
              </h2>
              <p className={styles.synopsis} dir="auto">
                {each.synopsis || each.tagline}
              </p>
              <SeriesActions series={each} resume={resume} />
            </div>
          </div>
          {seasonsOf(each, t).map(({ idCatalog, name, assets }) => (
            <div key={idCatalog} className={styles.season}>
              <h3 className={styles.number}>{name}</h3>
              <EpisodeList episodes={assets} page={each.detailRoute} />
            </div>
          ))}
        </section>
      ))}
      {shown.length > 0 && <ListEnd query={query} />}
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

function SeriesPicture({ series: { images } }: { series: Category }) {
  const image = images.background ?? images.default
  if (image === null) return null
  return (
    <div className={styles.picture}>
      <Picture image={image} sizes="(min-width: 760px) 40vw, 100vw" />
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
