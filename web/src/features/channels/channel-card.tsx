import type { Channel, Programme } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { Card } from '../../design/card.tsx'
import { secondsText, timeRangeText } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import styles from './channel-card.module.css'

/** A channel with what is on now: time, length, and a line that moves each second (V3, channel card). */
export function ChannelCard({ channel, programme }: { channel: Channel; programme: Programme | null }) {
  const { t } = useTranslation()
  const place = usePlace()
  return (
    <Card
      layout="Cover"
      to={channel.detailRoute}
      title={programme?.title ?? channel.name}
      subtitle={
        programme === null
          ? t('live.noProgramme')
          : `${timeRangeText(programme.startutc, programme.endutc, place)} · ${secondsText(programme.duration, t)}`
      }
      image={programme?.image ?? channel.logoImage}
      corner={<span className={styles.name}>{channel.name}</span>}
      airing={programme === null ? undefined : { ...programme, texts: { live: t('tag.live') } }}
    />
  )
}
