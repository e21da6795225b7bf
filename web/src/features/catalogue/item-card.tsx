import type { Asset, Category, Item } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Card } from '../../design/card.tsx'
import { useAiring } from '../../design/clock.ts'
import { type CardLayout, isUpright } from '../../design/layouts.ts'
import { lengthText } from '../../words/format.ts'
import { ChannelCard } from '../channels/channel-card.tsx'
import { assetImage } from './asset-image.ts'
import { eventInterval } from './asset-tags.ts'
import { isBegun, remainingSeconds } from './playing.ts'
import { titleCount } from './queries.ts'
import { useAssetTags } from './use-asset-tags.ts'
import { useCardMenu } from './use-card-menu.ts'
import { useHour } from './use-hour.ts'

/** Returns a key that is unique among items. */
export function itemKey(item: Item): string {
  return `${item.type} ${item.type === 'asset' ? item.payload.idAsset : item.type === 'channel' ? item.payload.idChannel : item.payload.idCatalog}`
}

/** The card of any list item. */
export function ItemCard({
  item,
  layout,
  showNew = false,
}: {
  item: Item
  layout: CardLayout
  showNew?: boolean
}) {
  if (item.type === 'asset') return <AssetCard asset={item.payload} layout={layout} showNew={showNew} />
  if (item.type === 'category') return <CategoryCard category={item.payload} layout={layout} />
  return <ChannelCard channel={item.payload} programme={item.programme} layout={layout} />
}

/** The card of a film or an episode, with the remaining time when it was begun. */
function AssetCard({
  asset,
  layout,
  showNew = false,
}: {
  asset: Asset
  layout: CardLayout
  showNew?: boolean
}) {
  const { t } = useTranslation()
  const now = useHour()
  const tagsOf = useAssetTags()
  const begun = isBegun(asset)
  const airing = useAiring(eventInterval(asset))
  const menu = useCardMenu({ idAsset: asset.idAsset })
  return (
    <Card
      menu={menu}
      layout={layout}
      to={asset.detailRoute}
      title={asset.title}
      subtitle={assetSubtitle(asset, begun, t)}
      text={asset.tagline || asset.description}
      image={assetImage(asset, layout)}
      tags={tagsOf(asset, { now, live: airing?.state === 'live', showNew })}
      progress={begun ? asset.alreadyWatchedInPercent / 100 : undefined}
      blurred={asset.isBlurred ? t('tag.adult') : undefined}
      dimmed={asset.availability.state !== 'ready'}
    />
  )
}

/** The card of a series, a season or a plain category. */
function CategoryCard({ category, layout }: { category: Category; layout: CardLayout }) {
  const { t } = useTranslation()
  const { images } = category
  const menu = useCardMenu({ idCategory: category.idCatalog })
  return (
    <Card
      menu={menu}
      layout={layout}
      to={category.detailRoute}
      title={category.name}
      subtitle={
        category.isSerie
          ? t('kind.series', { count: category.seasonNumber })
          : t('category.count', { count: titleCount(category) })
      }
      text={category.tagline || category.synopsis}
      image={
        isUpright(layout)
          ? (images.poster ?? images.default)
          : (images.background ?? images.default ?? images.poster)
      }
    />
  )
}

function assetSubtitle(asset: Asset, begun: boolean, t: TFunction): string {
  const { AD_SERIESEA: season, AD_SERIESEP: episode } = asset.directMetadata
  const parts = [
    season === undefined || episode === undefined ? '' : t('meta.episode', { season, episode }),
    begun
      ? t('meta.remaining', { duration: lengthText(remainingSeconds(asset), t) })
      : asset.durationInSeconds > 0
        ? lengthText(asset.durationInSeconds, t)
        : '',
  ]
  return parts.filter(Boolean).join(' · ')
}
