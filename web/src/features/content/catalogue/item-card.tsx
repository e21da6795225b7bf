import type { RailItem } from '@ondine/contract/catalogue'
import type { Asset, Category, Item } from '@ondine/contract/entities'
import { languageTag } from '@ondine/contract/languages'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../design/cards/card.tsx'
import { useAiring } from '../../../design/time/clock.ts'
import { useHour } from '../../../design/time/use-hour.ts'
import { type CardLayout, isUpright } from '../../../design/tokens/layouts.ts'
import { dateText } from '../../../words/dates.ts'
import { capitalised, type Place, timeText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { assetImage } from './asset-image.ts'
import { assetSubtitle } from './asset-subtitle.ts'
import { eventInterval } from './asset-tags.ts'
import { useCardNote } from './card-notes.ts'
import { ChannelCard } from './channel-card.tsx'
import { isBegun } from './playing.ts'
import { seriesText } from './series-text.ts'
import { useAssetTags } from './use-asset-tags.ts'
import { useCardMenu } from './use-card-menu.ts'

/** Returns a key that is unique among items. */
export function itemKey(item: RailItem): string {
  return `${item.type} ${idOf(item)}`
}

function idOf(item: RailItem): number {
  if (item.type === 'asset') return item.payload.idAsset
  if (item.type === 'category') return item.payload.idCatalog
  return item.type === 'channel' ? item.payload.idChannel : item.payload.id
}

/** The card of any list item. */
export function ItemCard({
  item,
  layout,
  showNew = false,
  wide,
}: {
  item: Item
  layout: CardLayout
  /** Whether the card says that its title is new. See `assetTags`. */
  showNew?: boolean
  /**
   * Whether an inline card of an asset fills a whole line of the grid. Otherwise, the card fills half of a line.
   */
  wide?: boolean
}) {
  if (item.type === 'asset') {
    return <AssetCard asset={item.payload} layout={layout} showNew={showNew} wide={wide} />
  }
  if (item.type === 'category') return <CategoryCard category={item.payload} layout={layout} />
  return <ChannelCard channel={item.payload} programme={item.programme} layout={layout} />
}

/** The card of a film or an episode. The card of a begun asset shows the remaining time. */
function AssetCard({
  asset,
  layout,
  showNew,
  wide,
}: {
  asset: Asset
  layout: CardLayout
  showNew: boolean
  wide: boolean | undefined
}) {
  const { t } = useTranslation()
  const now = useHour()
  const tagsOf = useAssetTags()
  const begun = isBegun(asset)
  const place = usePlace()
  const event = eventInterval(asset)
  const airing = useAiring(event)
  const menu = useCardMenu({ idAsset: asset.idAsset })
  const note = useCardNote(asset.idAsset)
  return (
    <Card
      menu={menu}
      layout={layout}
      to={asset.detailRoute}
      title={asset.title}
      subtitle={
        event !== undefined && airing?.state === 'starts'
          ? eventText(event.startutc, place)
          : assetSubtitle(asset, { isBegun: begun, place }, t)
      }
      text={asset.tagline || asset.description}
      image={assetImage(asset, layout)}
      tags={[...note.tags, ...tagsOf(asset, { now, live: airing?.state === 'live', showNew })]}
      progress={note.progress ?? (begun ? asset.alreadyWatchedInPercent / 100 : undefined)}
      blurred={asset.isBlurred ? t('tag.adult') : undefined}
      dimmed={asset.availability.state !== 'ready'}
      wide={wide}
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
      subtitle={category.isSerie ? seriesText(category, t) : undefined}
      text={category.tagline || category.synopsis}
      image={
        isUpright(layout)
          ? (images.poster ?? images.default)
          : (images.background ?? images.default ?? images.poster)
      }
      blurred={category.isBlurred ? t('tag.adult') : undefined}
    />
  )
}

/** Formats the start of an event, in seconds since the Unix epoch: `Samedi 28 novembre, 20:00`. */
function eventText(seconds: number, place: Place): string {
  const day = dateText(seconds, { ...place, dateFormat: 'dddd D MMMM' })
  return capitalised(`${day}, ${timeText(seconds, place)}`, languageTag(place.language))
}
