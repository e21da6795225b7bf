import type { Channel } from '@ondine/contract/entities'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { useCurrentInView } from '../../../design/lists/use-current-in-view.ts'
import { usePlace } from '../../../words/place.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { ALL_GROUPS, channelGroups } from './channel-groups.ts'
import styles from './group-links.module.css'

/**
 * Links to the guide of live events, one for each genre of the channels and one for all channels. Renders nothing if
 * the channels have only one genre.
 */
export function GroupLinks({
  channels,
  current,
}: {
  channels: readonly Channel[]
  current?: string | undefined
}) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const list = useRef<HTMLElement>(null)
  useCurrentInView(list, current)
  const groups = channelGroups(channels, language)
  if (groups.length < 2) return null
  return (
    <nav ref={list} className={styles.groups} aria-label={t('guide.filter')}>
      <ul>
        {[{ slug: ALL_GROUPS, title: t('guide.allChannels') }, ...groups].map(({ slug, title }) => (
          <li key={slug}>
            <BareLink
              to={pathOf('live-events-guide-slug', { slug })}
              className={styles.group}
              aria-current={slug === current ? 'page' : undefined}
            >
              {title}
            </BareLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}
