import type { Asset } from '@ondine/contract/entities'
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink, RowWords } from '../../../design/buttons/button.tsx'
import { BareLink } from '../../../design/buttons/link.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { StartOverIcon } from '../../../design/icons/screen-icons.tsx'
import { Stage } from '../../../design/pictures/stage.tsx'
import { useAiring } from '../../../design/time/clock.ts'
import { useHour } from '../../../design/time/use-hour.ts'
import { lengthText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { whenText } from '../../ground/days/showing-when.ts'
import { useSession } from '../../ground/session/session.ts'
import { BuyButtons } from '../../rights/offers/buy-buttons.tsx'
import { useIsSold } from '../../rights/offers/unlocking.ts'
import { Actions } from './actions.tsx'
import { assetKind } from './asset-kind.ts'
import styles from './asset-screen.module.css'
import { eventInterval, isNew } from './asset-tags.ts'
import { ContentRails } from './content-rails.tsx'
import { episodeText } from './episode-text.ts'
import { FactsList } from './facts-list.tsx'
import { assetFacts, MetaLine } from './meta-line.tsx'
import { LockedNote } from './play-button.tsx'
import { assetAction, broadcastAction, isBegun, soldBy, trailerPath } from './playing.ts'
import { assetQuery, relatedQuery } from './queries.ts'
import { ReviewsPanel } from './reviews-panel.tsx'
import { ScoreStars, useIsScored } from './score-stars.tsx'
import { Synopsis } from './synopsis.tsx'

/**
 * The page of a film or an episode.
 *
 * @param renderDownload returns the button that downloads the title; `subtitle` names an episode
 */
export function AssetScreen({
  id,
  renderDownload,
}: {
  id: number
  renderDownload: (asset: Asset, subtitle: string) => ReactNode
}) {
  const { t } = useTranslation()
  const session = useSession()
  const { data } = useSuspenseQuery(assetQuery(id))
  const isScored = useIsScored({ idAsset: id })
  const { content, series, next } = data
  const asset = content.type === 'asset' ? content.payload : undefined
  const event = asset && eventInterval(asset)
  const airing = useAiring(event)
  const now = useHour()
  const { newDays } = useConfiguration().catalogue
  const place = usePlace()
  const own = asset && assetAction(asset, session, asset.detailRoute, t)
  const broadcast = asset?.isBroadcast === true ? airing : undefined
  const action = own && broadcast ? broadcastAction(own, broadcast.state, t) : own
  const sold = asset && action && soldBy(action, asset)
  const isSold = useIsSold(sold)
  if (asset === undefined) return null
  const eyebrow = [
    airing?.state === 'live' ? t('tag.live') : '',
    series === null ? assetKind(asset, t) : episodeText(asset, t),
    isNew(asset, now, newDays) ? t('tag.new') : '',
  ]
  return (
    <div className={styles.screen}>
      <Stage
        image={asset.backgroundImage ?? asset.posterImage}
        upright={asset.portraitImage}
        blurred={asset.isBlurred}
        eyebrow={eyebrow.filter(Boolean).join(' · ')}
        title={asset.title}
        // An episode shows its own title as text, because the title image shows the title of the series.
        logo={series === null ? asset.logoImage : null}
      >
        {series !== null && (
          <BareLink to={series.detailRoute} className={styles.series}>
            {t('detail.partOf', { title: series.name })}
          </BareLink>
        )}
        {event !== undefined && (
          <time className={styles.when} dateTime={new Date(event.startutc * 1000).toISOString()}>
            {whenText(event.startutc, event.endutc, now, place, t)}
          </time>
        )}
        <MetaLine facts={isScored ? { ...assetFacts(asset, t), score: undefined } : assetFacts(asset, t)} />
        <Synopsis text={asset.description || asset.tagline} />
        {isBegun(asset) && (
          <div className={styles.begun}>
            <Progress value={asset.alreadyWatchedInPercent / 100} />
            <span>
              {t('meta.remaining', { duration: lengthText(asset.durationInSeconds - asset.seekTime, t) })}
            </span>
          </div>
        )}
        {isSold && <LockedNote action={action} />}
        {sold !== undefined && <BuyButtons content={sold} title={asset.title} />}
        <Actions
          action={action}
          isSecond={isSold}
          trailer={trailerPath(asset)}
          title={asset.title}
          image={asset.isBlurred ? null : (asset.backgroundImage ?? asset.posterImage)}
          path={asset.detailRoute}
          thing={{ idAsset: asset.idAsset }}
          other={
            broadcast?.state === 'live' &&
            action?.kind === 'play' && (
              <ButtonLink to={`${action.to}&t=0`}>
                <StartOverIcon />
                <RowWords>{t('play.fromStart')}</RowWords>
              </ButtonLink>
            )
          }
        >
          {renderDownload(asset, series === null ? '' : `${series.name} · ${episodeText(asset, t)}`)}
        </Actions>
        <ScoreStars of={{ idAsset: asset.idAsset }} />
      </Stage>
      <div className={styles.about}>
        <FactsList metadata={asset.directMetadata} media={asset.medias[0]} />
        <ReviewsPanel
          of={{ idAsset: asset.idAsset }}
          title={asset.title}
          image={asset.backgroundImage ?? asset.posterImage}
        />
      </div>
      <Rails idAsset={asset.idAsset} next={next} />
    </div>
  )
}

/** Rails with the next episode and with related titles. A rail is not rendered if its titles are missing (A8.3-04). */
function Rails({ idAsset, next }: { idAsset: number; next: Asset | null }) {
  const { t } = useTranslation()
  const { data: related = [] } = useQuery(relatedQuery('asset', idAsset))
  const rails = [
    {
      id: 'next',
      title: t('detail.next'),
      layout: 'Inline' as const,
      items: next === null ? [] : [{ type: 'asset' as const, payload: next }],
    },
    { id: 'related', title: t('detail.related'), layout: 'Poster' as const, items: related },
  ]
  return <ContentRails rails={rails} />
}
