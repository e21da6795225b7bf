import type { Channel } from '@ondine/contract/entities'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { useCurrentInView } from '../../../design/lists/use-current-in-view.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import styles from './channel-strip.module.css'

/** Number of channels on each side of the current channel. The guide and the live screen show all channels. */
const BESIDE = 50

/** The current channel, with the previous and the next channels on its sides. */
export function ChannelStrip({ channels, current }: { channels: readonly Channel[]; current: number }) {
  const { t } = useTranslation()
  const strip = useRef<HTMLElement>(null)
  useCurrentInView(strip, current)
  const place = channels.findIndex(({ idChannel }) => idChannel === current)
  const near = channels.slice(Math.max(0, place - BESIDE), place + BESIDE + 1)
  return (
    <nav ref={strip} className={styles.strip} aria-label={t('live.channels')}>
      <ul>
        {near.map((channel) => (
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
        {near.length < channels.length && (
          <li>
            <BareLink to={pathOf('live')} className={styles.channel}>
              {t('guide.allChannels')}
            </BareLink>
          </li>
        )}
      </ul>
    </nav>
  )
}
