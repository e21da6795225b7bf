import type { Asset } from '@ondine/contract/entities'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../../design/fields/select.tsx'
import { Tabs } from '../../../design/lists/tabs.tsx'
import { Stage } from '../../../design/pictures/stage.tsx'
import { useSession } from '../../ground/session/session.ts'
import { BuyButtons } from '../../rights/offers/buy-buttons.tsx'
import { useIsSold } from '../../rights/offers/unlocking.ts'
import { Actions } from './actions.tsx'
import { EpisodeList } from './episode-list.tsx'
import { FactsList } from './facts-list.tsx'
import { ItemCard, itemKey } from './item-card.tsx'
import { MetaLine, seriesFacts } from './meta-line.tsx'
import { LockedNote } from './play-button.tsx'
import { assetAction, soldBy, trailerPath } from './playing.ts'
import { relatedQuery, seriesQuery } from './queries.ts'
import { ReviewsPanel } from './reviews-panel.tsx'
import { ScoreStars, useIsScored } from './score-stars.tsx'
import styles from './series-screen.module.css'
import { seriesText } from './series-text.ts'
import { Synopsis } from './synopsis.tsx'

/**
 * The page of a series: the button to play the next episode, and the episodes by season.
 *
 * @param seasonId the season to show; by default the season of the viewer's next episode
 * @param renderDownload returns the button that downloads the shown episodes
 */
export function SeriesScreen({
  id,
  seasonId,
  renderDownload,
}: {
  id: number
  seasonId: number | undefined
  renderDownload: (episodes: readonly Asset[], series: string) => ReactNode
}) {
  const { t } = useTranslation()
  const session = useSession()
  const navigate = useNavigate()
  const { data } = useSuspenseQuery(seriesQuery(id))
  const isScored = useIsScored({ idCategory: id })
  const { data: related = [] } = useQuery(relatedQuery('category', id))
  const { content, resume } = data
  const page = content.payload.detailRoute
  const action = resume === null ? undefined : assetAction(resume, session, page, t, true)
  const sold = resume === null || action === undefined ? undefined : soldBy(action, resume)
  const isSold = useIsSold(sold)
  if (content.type !== 'category') return null
  const series = content.payload
  const seasons = series.categories.filter((child) => child.isSeason)
  const current =
    seasons.find((season) => season.idCatalog === seasonId) ??
    seasons.find((season) => season.assets.some((episode) => episode.idAsset === resume?.idAsset)) ??
    seasons[0]
  const episodes = (
    <>
      {seasons.length > 0 && current !== undefined && (
        <div className={styles.season}>
          <Select
            label={t('detail.chooseSeason')}
            value={current.idCatalog}
            options={seasons.map((season) => ({
              id: season.idCatalog,
              title: season.name,
            }))}
            onChange={(chosen) =>
              void navigate({ to: '.', search: { seasonid: chosen }, replace: true, resetScroll: false })
            }
          />
          {renderDownload(current.assets, series.name)}
        </div>
      )}
      <EpisodeList episodes={current?.assets ?? series.assets} page={series.detailRoute} />
    </>
  )
  const about = (
    <div className={styles.about}>
      <p className={styles.text}>{series.synopsis || series.tagline}</p>
      <FactsList metadata={series.directMetadata} media={resume?.medias[0]} />
    </div>
  )
  const like =
    related.length === 0 ? (
      <p className={styles.text}>{t('detail.noRelated')}</p>
    ) : (
      <ul className={styles.grid}>
        {related.map((item) => (
          <li key={itemKey(item)}>
            <ItemCard item={item} layout="Poster" />
          </li>
        ))}
      </ul>
    )
  return (
    <div className={styles.screen}>
      <Stage
        image={series.images.background ?? series.images.default}
        upright={series.images.portrait}
        blurred={series.isBlurred}
        eyebrow={seriesText(series, t)}
        title={series.name}
        logo={series.images.logo}
      >
        <MetaLine
          facts={
            isScored
              ? { ...seriesFacts(series, resume, t), score: undefined }
              : seriesFacts(series, resume, t)
          }
        />
        <Synopsis text={series.synopsis || series.tagline} />
        {isSold && <LockedNote action={action} />}
        {sold !== undefined && <BuyButtons content={sold} title={series.name} />}
        <Actions
          action={action}
          isSecond={isSold}
          trailer={trailerPath(series)}
          title={series.name}
          image={series.isBlurred ? null : (series.images.background ?? series.images.default)}
          path={series.detailRoute}
          thing={{ idCategory: series.idCatalog }}
        />
        <ScoreStars of={{ idCategory: series.idCatalog }} />
      </Stage>
      <ReviewsPanel
        of={{ idCategory: series.idCatalog }}
        title={series.name}
        image={series.images.background ?? series.images.default}
      />
      <div className={styles.parts}>
        <Tabs
          label={t('detail.sections')}
          tabs={[
            { id: 'episodes', title: t('detail.episodes'), content: episodes },
            { id: 'about', title: t('detail.about'), content: about },
            { id: 'related', title: t('detail.related'), content: like },
          ]}
        />
      </div>
    </div>
  )
}
