import type { Channel, Programme } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { Card } from '../../design/card.tsx'
import { useAiring } from '../../design/clock.ts'
import type { CardLayout } from '../../design/layouts.ts'
import { usePlace } from '../../words/place.tsx'
import { useCardMenu } from '../catalogue/use-card-menu.ts'
import styles from './channel-card.module.css'
import { channelCardModel } from './channel-card-model.ts'

/** A programme that is over stays this long, in seconds, while the next one is asked for; then the channel stands alone. */
const HOLD_SECONDS = 10

/** A channel with what is on now: time, length, and a line that moves each second (V3-27). */
export function ChannelCard({
  channel,
  programme: known,
  layout,
}: {
  channel: Channel
  programme: Programme | null
  /** Among cards of another layout; the channel's own otherwise. */
  layout?: CardLayout
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const running = useAiring(known ?? undefined)
  const held = useAiring(known === null ? undefined : { ...known, endutc: known.endutc + HOLD_SECONDS })
  const programme = held?.state === 'done' ? null : known
  const airing =
    programme === null || running === undefined || held === undefined
      ? undefined
      : { state: held.state, share: running.share }
  const card = channelCardModel(channel, programme, airing, place, t)
  const openMenu = useCardMenu({ idChannel: channel.idChannel })
  return (
    <Card
      // What is opened, kept and shared is the channel, not what is on it.
      menu={openMenu && ((thing) => openMenu({ ...thing, title: channel.name }))}
      layout={layout ?? card.layoutMode}
      untitled
      to={channel.detailRoute}
      title={card.title}
      subtitle={card.showMeta ? [card.meta1, card.meta2].filter(Boolean).join(' · ') : t('live.noProgramme')}
      image={card.showCover ? card.coverImg : card.logo}
      corner={<span className={styles.name}>{channel.name}</span>}
      tags={card.highlight ? [{ tone: 'live', text: t('tag.live') }] : []}
      progress={card.showProgressBar ? card.progressPercent / 100 : undefined}
      progressTone={card.highlight ? 'live' : 'accent'}
    />
  )
}
