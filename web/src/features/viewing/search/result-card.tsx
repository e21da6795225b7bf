import type { Programme } from '@ondine/contract/entities'
import type { SearchResult } from '@ondine/contract/search'
import { useTranslation } from 'react-i18next'
import { Card, type CardContent } from '../../../design/cards/card.tsx'
import { useAiring, useNow } from '../../../design/time/clock.ts'
import { usePlace } from '../../../words/place.tsx'
import { eventInterval } from '../../content/catalogue/asset-tags.ts'
import { useCardNote } from '../../content/catalogue/card-notes.ts'
import { isBegun } from '../../content/catalogue/playing.ts'
import { seriesText } from '../../content/catalogue/series-text.ts'
import { useAssetTags } from '../../content/catalogue/use-asset-tags.ts'
import { useCardMenu } from '../../content/catalogue/use-card-menu.ts'
import type { FavouriteThing } from '../../content/favourites/favourite.ts'
import { Marked } from './marked.tsx'
import styles from './result-card.module.css'
import { resultPath, resultTitle, titleKind } from './results.ts'
import { showingText } from './showing-text.ts'

/**
 * The card of a result. The card shows the kind of the result, and the places where the result can be watched,
 * live programmes first (V3-33).
 */
export function ResultCard({ result, highlight }: { result: SearchResult; highlight: readonly string[] }) {
  const { t } = useTranslation()
  const { item } = result
  const menu = useCardMenu(thingOf(result), item.type === 'programme' ? { programme: item.payload } : {})
  const { epg } = result.usedIn
  const now = useNow()
  const airing = epg.find(({ startutc, endutc }) => startutc <= now && now < endutc)
  const content = useContent(result, airing !== undefined)
  const title = resultTitle(result)
  return (
    <Card
      layout="Cover"
      to={resultPath(result)}
      title={title}
      menu={menu}
      marked={<Marked text={title} wanted={highlight} />}
      {...(airing && {
        airing: { ...airing, texts: { live: t('tag.live') } },
        corner: channelName(result, airing),
      })}
      {...content}
    />
  )
}

/** @param isAiring whether a channel shows the result now. The card then has its live mark already */
function useContent(
  { item, usedIn }: SearchResult,
  isAiring: boolean,
): Pick<CardContent, 'image'> & Partial<CardContent> {
  const { t } = useTranslation()
  const now = useNow()
  const tagsOf = useAssetTags()
  const showing = useShowing(usedIn.epg)
  const note = useCardNote(item.type === 'asset' ? item.payload.idAsset : 0)
  const event = useAiring(item.type === 'asset' ? eventInterval(item.payload) : undefined)
  if (item.type === 'asset') {
    const asset = item.payload
    const year = asset.isSerie ? undefined : asset.directMetadata.TS_PRODYEAR
    return {
      subtitle: lineOf(titleKind(asset, t), year, showing),
      image: asset.thumbnailImage ?? asset.backgroundImage ?? asset.posterImage,
      blurred: asset.isBlurred ? t('tag.adult') : undefined,
      tags: [
        ...note.tags,
        ...tagsOf(asset, { now, live: !isAiring && event?.state === 'live', showNew: true }),
      ],
      progress: note.progress ?? (isBegun(asset) ? asset.alreadyWatchedInPercent / 100 : undefined),
      dimmed: asset.availability.state !== 'ready',
    }
  }
  if (item.type === 'series') {
    const series = item.payload
    return {
      subtitle: lineOf(seriesText(series, t), showing),
      image: series.images.background ?? series.images.default ?? series.images.poster,
      blurred: series.isBlurred ? t('tag.adult') : undefined,
    }
  }
  if (item.type === 'channel') {
    const { payload: channel, programme } = item
    return {
      subtitle: lineOf(t('search.channel'), programme?.title),
      image: programme?.image ?? channel.logoImage,
      blurred: programme?.image && programme.isBlurred ? t('tag.adult') : undefined,
    }
  }
  return {
    subtitle: showing,
    image: item.payload.image ?? item.channel.logoImage,
    blurred: item.payload.image && item.payload.isBlurred ? t('tag.adult') : undefined,
  }
}

/**
 * Returns the item that the favourite button of a result adds. Undefined for a programme, which cannot be a
 * favourite.
 */
function thingOf({ item }: SearchResult): FavouriteThing | undefined {
  switch (item.type) {
    case 'asset':
      return { idAsset: item.payload.idAsset }
    case 'series':
      return { idCategory: item.payload.idCatalog }
    case 'channel':
      return { idChannel: item.payload.idChannel }
    default:
      return undefined
  }
}

/**
 * Formats the next showing of a result, such as `ce soir 21:00, Rive`. Undefined during a live showing, which the
 * card shows in another place.
 */
function useShowing(epg: readonly Programme[]): string | undefined {
  const now = useNow()
  const place = usePlace()
  const next = epg.find(({ endutc }) => endutc > now)
  if (next === undefined || next.startutc <= now) return undefined
  return `${showingText(next.startutc, now, place)} · ${channelOf(next)}`
}

/** Returns the name of the channel that shows a result; undefined if the name is unknown. */
function channelName({ item }: SearchResult, airing: Programme) {
  const name =
    item.type === 'channel'
      ? item.payload.name
      : item.type === 'programme'
        ? item.channel.name
        : channelOf(airing)
  return name === '' ? undefined : <span className={styles.channel}>{name}</span>
}

function channelOf(programme: Programme): string {
  return String(programme.direct_metadata.channel_name ?? '')
}

function lineOf(...parts: (string | number | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ')
}
