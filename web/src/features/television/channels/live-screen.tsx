import type { Channel, Programme } from '@ondine/contract/entities'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { ScreenHead } from '../../../design/page/screen-head.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { useNow } from '../../../design/time/clock.ts'
import { ChannelCard } from '../../content/catalogue/channel-card.tsx'
import { currentProgramme } from '../../content/line-up/current-programme.ts'
import { channelsQuery, nowQuery } from '../../content/line-up/queries.ts'
import { useFreshWindow } from '../../content/line-up/use-fresh-window.ts'
import { usePatientQuery } from '../../content/line-up/use-patient-query.ts'
import { wallPage } from '../../content/line-up/wall-page.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { ChannelWall } from './channel-wall.tsx'
import { GroupLinks } from './group-links.tsx'
import { liveChannels } from './live-channels.ts'
import styles from './live-screen.module.css'
import { LiveStage } from './live-stage.tsx'
import { stageOf } from './stage-of.ts'

/**
 * The live channels with their current programmes. `start` is the start of the guide's window with which the page
 * was rendered.
 */
export function LiveScreen({ start }: { start: number }) {
  const { t } = useTranslation()
  const { liveEventsGuideConfiguration } = useConfiguration().guide
  const { channelLiveMode } = useConfiguration().live
  const { data: all } = useSuspenseQuery(channelsQuery)
  const channels = useMemo(() => liveChannels(all, channelLiveMode), [all, channelLiveMode])
  const now = useNow()
  // The query below equals the query for the first channels of `ChannelWall`, so it causes no extra call.
  const { ids } = useMemo(() => wallPage(channels, 0), [channels])
  const { data: guide } = usePatientQuery(nowQuery(useFreshWindow(start, now, ids), ids))
  const stage = stageOf(channels, guide, now)
  return (
    <div className={styles.screen} data-stage={stage !== undefined || undefined}>
      {stage === undefined ? (
        <ScreenHead title={t('live.title')} lead={t(channels.length === 0 ? 'live.empty' : 'live.lead')} />
      ) : (
        <>
          <h1 className={UNSEEN}>{t('live.title')}</h1>
          <LiveStage {...stage} now={now} />
          <h2 className={styles.title}>{t('live.channels')}</h2>
        </>
      )}
      {liveEventsGuideConfiguration.pageActivation && <GroupLinks channels={channels} />}
      <ChannelWall channels={channels} start={start} renderItem={liveItem} />
    </div>
  )
}

function liveItem(channel: Channel, programmes: readonly Programme[] | undefined, now: number) {
  return (
    <li key={channel.idChannel}>
      <ChannelCard channel={channel} programme={currentProgramme(programmes, now)} />
    </li>
  )
}
