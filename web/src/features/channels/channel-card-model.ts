import type { Channel, Image, Programme } from '@ondine/contract/entities'
import type { TFunction } from 'i18next'
import type { Airing } from '../../design/clock.ts'
import type { CardLayout } from '../../design/layouts.ts'
import { type Place, secondsText } from '../../words/format.ts'
import { isWholeDay, spanText } from '../guide/when.ts'

/** What a channel's card shows (V3-27). */
export interface ChannelCardModel {
  layoutMode: CardLayout
  /** Whether the picture is the programme's; without one it is the channel's logo. */
  showCover: boolean
  coverImg: Image | null
  /** The programme, or the channel while it has none. */
  title: string
  /** The channel, when the title does not say it. */
  subtitle: string
  logo: Image | null
  /** Whether there is a programme to say the time and the length of. */
  showMeta: boolean
  /** From when to when: `20:30 – 21:15`, or that it is the whole day. */
  meta1: string
  /** How long: `45 min`, `1 h 30`; empty for a whole day, which says it itself. */
  meta2: string
  /** Whether it is on now. */
  highlight: boolean
  showProgressBar: boolean
  /** How far it has run, from 0 to 100. */
  progressPercent: number
}

/**
 * What the card of a channel shows.
 *
 * @param programme what to show of it: what is on, as a rule
 * @param airing what is so of the programme now, see `useAiring`
 */
export function channelCardModel(
  channel: Pick<Channel, 'name' | 'logoImage'>,
  programme: Pick<Programme, 'title' | 'image' | 'startutc' | 'endutc' | 'duration'> | null,
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
        : secondsText(programme.duration, t),
    highlight: isLive,
    showProgressBar: isLive,
    progressPercent: isLive ? airing.share * 100 : 0,
  }
}
