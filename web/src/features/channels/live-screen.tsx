import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../design/clock.ts'
import { liveState } from '../../design/live-state.ts'
import { ScreenHead } from '../../design/screen-head.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { reportFault } from '../errors/report-fault.ts'
import { GroupLinks } from '../guide/group-links.tsx'
import { ChannelCard } from './channel-card.tsx'
import { ChannelGrid } from './channel-grid.tsx'
import styles from './live-screen.module.css'
import { channelsQuery, nowQuery } from './queries.ts'
import { useFreshWindow } from './use-fresh-window.ts'

/** The live channels, with what is on now. `start` is the window of the guide that the page was made with. */
export function LiveScreen({ start }: { start: number }) {
  const { t } = useTranslation()
  const now = useNow()
  const { liveEventsGuideConfiguration } = useConfiguration().guide
  const { channelLiveMode } = useConfiguration().live
  const { data: all } = useSuspenseQuery(channelsQuery)
  // What is made of the library is broadcast nowhere but here (V3-55).
  const channels =
    channelLiveMode === 'broadcast-only' ? all.filter(({ item }) => item.type !== 'library') : all
  const { data: guide, error } = useQuery(nowQuery(useFreshWindow(start, now, useQueryClient())))
  useEffect(() => reportFault(error), [error])
  return (
    <div className={styles.screen}>
      <ScreenHead title={t('live.title')} lead={t(channels.length === 0 ? 'live.empty' : 'live.lead')} />
      {liveEventsGuideConfiguration.pageActivation && <GroupLinks channels={channels} />}
      <ChannelGrid>
        {channels.map((channel) => (
          <li key={channel.idChannel}>
            <ChannelCard
              channel={channel}
              programme={
                guide?.[`chan_${channel.idChannel}`]?.find(
                  (programme) => liveState(programme, now) === 'live',
                ) ?? null
              }
            />
          </li>
        ))}
      </ChannelGrid>
    </div>
  )
}
