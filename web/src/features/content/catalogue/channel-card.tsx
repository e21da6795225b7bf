import type { Channel, Programme } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../design/cards/card.tsx'
import { useAiring } from '../../../design/time/clock.ts'
import type { CardLayout } from '../../../design/tokens/layouts.ts'
import { usePlace } from '../../../words/place.tsx'
import styles from './channel-card.module.css'
import { channelCardModel } from './channel-card-model.ts'
import { useCardMenu } from './use-card-menu.ts'

/**
 * For this many seconds, the card keeps showing a programme that has ended, while the next programme is fetched.
 * After that, the card shows only the channel.
 */
const HOLD_SECONDS = 10

/**
 * The card of a channel with its current programme: the times, the length, and a progress bar that moves each second
 * (V3-27).
 */
export function ChannelCard({
  channel,
  programme: given,
  layout,
}: {
  channel: Channel
  /** The current programme, or null if no programme is current. As long as it is unknown, undefined. */
  programme: Programme | null | undefined
  /** The layout of the cards in the same list. By default, `channelCardModel` chooses the layout. */
  layout?: CardLayout
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const known = given ?? null
  const running = useAiring(given ?? undefined)
  const held = useAiring(known === null ? undefined : { ...known, endutc: known.endutc + HOLD_SECONDS })
  const programme = held?.state === 'done' ? null : known
  const airing =
    programme === null || running === undefined || held === undefined
      ? undefined
      : { state: held.state, share: running.share }
  const card = channelCardModel(channel, programme, airing, place, t)
  const empty = given === undefined ? undefined : t('live.noProgramme')
  const openMenu = useCardMenu({ idChannel: channel.idChannel }, programme === null ? {} : { programme })
  return (
    <Card
      // The menu's title is the name of the channel. Actions for the programme name the programme in their own texts.
      menu={openMenu && ((thing) => openMenu({ ...thing, title: channel.name }))}
      layout={layout ?? card.layoutMode}
      untitled
      to={channel.detailRoute}
      title={card.title}
      subtitle={card.showMeta ? [card.meta1, card.meta2].filter(Boolean).join(' · ') : empty}
      image={card.showCover ? card.coverImg : card.logo}
      blurred={card.showCover && programme?.isBlurred === true ? t('tag.adult') : undefined}
      corner={<span className={styles.name}>{channel.name}</span>}
      tags={card.highlight ? [{ tone: 'live', text: t('tag.live') }] : []}
      progress={card.showProgressBar ? card.progressPercent / 100 : undefined}
      progressTone={card.highlight ? 'live' : 'accent'}
    />
  )
}
