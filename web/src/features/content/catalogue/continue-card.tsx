import type { Asset } from '@ondine/contract/entities'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../design/cards/card.tsx'
import { CloseIcon } from '../../../design/icons/icons.tsx'
import type { CardLayout } from '../../../design/tokens/layouts.ts'
import { usePlace } from '../../../words/place.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { cardKey } from '../favourites/leave-card.ts'
import { assetImage } from './asset-image.ts'
import { assetSubtitle } from './asset-subtitle.ts'
import { useCardNote } from './card-notes.ts'
import { RemovableCard } from './removable-card.tsx'
import { ResumeMark } from './resume-mark.tsx'
import { useCardMenu } from './use-card-menu.ts'

/**
 * The card of a begun asset. A press plays the asset. The card shows the name of the series, and a button removes
 * the asset from the list (V4-49).
 */
export function ContinueCard({ asset, layout }: { asset: Asset; layout: CardLayout }) {
  const { t } = useTranslation()
  const place = usePlace()
  const queries = useQueryClient()
  const { idAsset, detailRoute } = asset
  const { AD_SURTITLE: series } = asset.directMetadata
  const name = series === undefined ? asset.title : String(series)
  const menu = useCardMenu({ idAsset }, { page: detailRoute, begun: name })
  const note = useCardNote(idAsset)
  const plays = asset.availability.state === 'ready' && asset.isIncludedInUserOffers

  return (
    <RemovableCard
      name={cardKey(asset)}
      remove={{
        label: t('rail.removeBegun', { title: name }),
        icon: <CloseIcon />,
        act: async () => {
          const { removeBegun } = await import('../favourites/begun.ts')
          await removeBegun(queries, { idAsset, title: name }, t)
        },
      }}
    >
      <Card
        menu={menu}
        layout={layout}
        to={plays ? `${pathOf('player')}?asset=${idAsset}` : detailRoute}
        title={name}
        subtitle={assetSubtitle(asset, { isBegun: true, place }, t)}
        text={asset.tagline || asset.description}
        image={assetImage(asset, layout)}
        tags={note.tags}
        progress={note.progress ?? asset.alreadyWatchedInPercent / 100}
        blurred={asset.isBlurred ? t('tag.adult') : undefined}
        dimmed={asset.availability.state !== 'ready'}
        mark={plays && <ResumeMark />}
      />
    </RemovableCard>
  )
}
