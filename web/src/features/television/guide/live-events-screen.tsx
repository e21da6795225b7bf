import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { ScreenHead } from '../../../design/page/screen-head.tsx'
import { liveState } from '../../../design/time/live-state.ts'
import { timeText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { ChannelCard } from '../../content/catalogue/channel-card.tsx'
import { currentProgramme } from '../../content/line-up/current-programme.ts'
import { channelsQuery } from '../../content/line-up/queries.ts'
import { channelsOf } from '../channels/channel-groups.ts'
import { ChannelWall } from '../channels/channel-wall.tsx'
import { GroupLinks } from '../channels/group-links.tsx'
import { programmePath } from '../schedule/programme-path.ts'
import styles from './live-events-screen.module.css'

/**
 * The current and the next programme of all channels, or of the channels of one genre (V2.1-13). `start` is the
 * start of the guide's window with which the page was rendered.
 */
export function LiveEventsScreen({ slug, title, start }: { slug: string; title: string; start: number }) {
  const { t } = useTranslation()
  const { data: all } = useSuspenseQuery(channelsQuery)
  const channels = useMemo(() => channelsOf(all, slug) ?? [], [all, slug])
  const place = usePlace()
  return (
    <div className={styles.screen}>
      <ScreenHead title={title} lead={channels.length === 0 ? t('live.empty') : undefined} />
      <GroupLinks channels={all} current={slug} />
      <ChannelWall
        // The wall of each genre begins with its first channels.
        key={slug}
        isAlone
        channels={channels}
        start={start}
        renderItem={(channel, programmes, now) => {
          const next = programmes?.find((programme) => liveState(programme, now) === 'starts')
          return (
            <li key={channel.idChannel} className={styles.item}>
              <ChannelCard channel={channel} programme={currentProgramme(programmes, now)} />
              <p className={styles.next}>
                {next !== undefined && (
                  <BareLink to={programmePath(next)}>
                    {t('guide.following', { time: timeText(next.startutc, place), title: next.title })}
                  </BareLink>
                )}
              </p>
            </li>
          )
        }}
      />
    </div>
  )
}
