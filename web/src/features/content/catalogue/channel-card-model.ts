import type { Channel, Image, Programme } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import type { Airing } from '../../../design/time/clock.ts'
import type { CardLayout } from '../../../design/tokens/layouts.ts'
import { type Place, rangeLengthText } from '../../../words/format.ts'
import { isWholeDay, spanText } from '../../ground/days/when.ts'

/** The content of a channel's card (V3-27). */
export interface ChannelCardModel {
  layoutMode: CardLayout
  /** Whether the picture shows the programme. Otherwise, the picture is the channel's logo. */
  showCover: boolean
  coverImg: Image | null
  /** The title of the programme, or the name of the channel if there is no programme. */
  title: string
  /** The name of the channel, if `title` is the title of the programme. */
  subtitle: string
  logo: Image | null
  /** Whether the card shows a programme's times and length. */
  showMeta: boolean
  /** The times, such as `20:30 – 21:15`, or a text for a programme of a whole day. */
  meta1: string
  /** The length, such as `45 min` or `1 h 30`; empty for a whole day. */
  meta2: string
  /** Whether the programme is live. */
  highlight: boolean
  showProgressBar: boolean
  /** How much of the programme has passed, in percent from 0 to 100. */
  progressPercent: number
}

/**
 * Returns the content of a channel's card.
 *
 * @param programme the programme to show, usually the current one
 * @param airing whether the programme is live and how much of it has passed, see `useAiring`
 */
export function channelCardModel(
  channel: Pick<Channel, 'name' | 'logoImage'>,
  programme: Pick<Programme, 'title' | 'image' | 'startutc' | 'endutc'> | null,
  airing: Airing | undefined,
  place: Place,
  t: TFunction,
): ChannelCardModel {
  const isLive = airing?.state === 'live'
  return {
    layoutMode: 'Cover',
    showCover: (programme?.image ?? null) !== null,
    coverImg: programme?.image ?? null,
    title: programme?.title ?? channel.name,
    subtitle: programme === null ? '' : channel.name,
    logo: channel.logoImage,
    showMeta: programme !== null,
    meta1: programme === null ? '' : spanText(programme.startutc, programme.endutc, place, t),
    meta2:
      programme === null || isWholeDay(programme.startutc, programme.endutc, place.timeZone)
        ? ''
        : rangeLengthText(programme.startutc, programme.endutc, t),
    highlight: isLive,
    showProgressBar: isLive,
    progressPercent: isLive ? airing.share * 100 : 0,
  }
}
