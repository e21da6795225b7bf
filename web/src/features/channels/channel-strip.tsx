import type { Channel } from '@ondine/contract/entities'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../design/link.tsx'
import { useCurrentInView } from '../../design/use-current-in-view.ts'
import styles from './channel-strip.module.css'

/** The channels side by side, to go from one to the next. */
export function ChannelStrip({ channels, current }: { channels: Channel[]; current: number }) {
  const { t } = useTranslation()
  const strip = useRef<HTMLElement>(null)
  useCurrentInView(strip, current)
  return (
    <nav ref={strip} className={styles.strip} aria-label={t('live.channels')}>
      <ul>
        {channels.map((channel) => (
          <li key={channel.idChannel}>
            <BareLink
              to={channel.detailRoute}
              className={styles.channel}
              aria-current={channel.idChannel === current ? 'page' : undefined}
              inPlace
            >
              <span className={styles.number} aria-hidden="true">
                {channel.item.lcn}
              </span>
              {channel.name}
            </BareLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
