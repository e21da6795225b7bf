import type { Channel } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ActionRow, ButtonLink, RowWords } from '../../../design/buttons/button.tsx'
import { GuideIcon } from '../../../design/icons/icons.tsx'
import { Stage } from '../../../design/pictures/stage.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { FavouriteButton } from '../../content/favourites/favourite-button.tsx'
import { nowQuery } from '../../content/line-up/queries.ts'
import { useFreshWindow } from '../../content/line-up/use-fresh-window.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { ShareButton } from '../../ground/share/share-button.tsx'
import { RecordButton, RecordNote } from '../recordings/record-button.tsx'
import { useChangesOfState } from '../recordings/recorded-programmes.ts'
import { SeriesButton } from '../recordings/series-button.tsx'
import { ForbiddenNote } from '../schedule/forbidden-note.tsx'
import { Neighbours } from '../schedule/neighbours.tsx'
import { eventQuery } from '../schedule/queries.ts'
import { StartOverButton } from '../schedule/start-over-button.tsx'
import { aroundNow, needsNeighbours } from './around-now.ts'
import { ChannelOffers, ChannelPlayButton } from './channel-offers.tsx'
import styles from './channel-screen.module.css'
import { ChannelStrip } from './channel-strip.tsx'
import { DayProgramme } from './day-programme.tsx'
import { NowLine } from './now-line.tsx'
import { useStagePicture } from './use-stage-picture.ts'

/** The page of a channel: its current programme, the next programmes, and all programmes of the day. */
export function ChannelScreen({
  channel,
  channels,
  start,
}: {
  channel: Channel
  channels: Channel[]
  start: number
}) {
  const { t } = useTranslation()
  const now = useNow()
  const { channelEventsGuideConfiguration } = useConfiguration().guide
  const query = nowQuery(useFreshWindow(start, now, channel.idChannel), channel.idChannel)
  const { data: guide } = useQuery(query)
  const programmes = guide?.[`chan_${channel.idChannel}`] ?? []
  const around = aroundNow(programmes, now)
  const { previous, current, next } = around
  const { data: beside } = useQuery({
    ...eventQuery(current?.id ?? 0, channel.idChannel),
    enabled: needsNeighbours(around),
  })
  const pictures = useStagePicture(current)
  useChangesOfState()
  return (
    <div className={styles.screen}>
      <Stage
        {...pictures}
        eyebrow={current === undefined ? '' : `${channel.name} · ${t('tag.live')}`}
        tone="live"
        title={current?.title ?? channel.name}
        logo={null}
      >
        {current === undefined ? (
          <p className={styles.synopsis}>{t('live.noProgramme')}</p>
        ) : (
          <NowLine programme={current} now={now} />
        )}
        <p className={styles.synopsis}>{current?.synopsis ?? channel.synopsis}</p>
        {current !== undefined && <ForbiddenNote programme={current} channel={channel} />}
        <ChannelOffers channel={channel} />
        <ActionRow>
          <ChannelPlayButton channel={channel} />
          {current !== undefined && (
            <StartOverButton key={current.id} programme={current} channel={channel} now={now} />
          )}
          {current !== undefined && (
            <>
              <RecordButton key={`record ${current.id}`} programme={current} channel={channel} />
              <SeriesButton key={`series ${current.id}`} programme={current} channel={channel} />
            </>
          )}
          {channelEventsGuideConfiguration.pageActivation && (
            <ButtonLink to={`${channel.detailRoute}/epg`}>
              <GuideIcon />
              <RowWords>{t('guide.programmes')}</RowWords>
            </ButtonLink>
          )}
          <FavouriteButton thing={{ idChannel: channel.idChannel }} title={channel.name} />
          <ShareButton
            title={channel.name}
            image={(current?.isBlurred === true ? null : current?.image) ?? channel.logoImage}
            path={channel.detailRoute}
          />
        </ActionRow>
        {current !== undefined && <RecordNote programme={current} channel={channel} />}
      </Stage>
      <Neighbours
        previous={previous ?? beside?.previous ?? null}
        current={current ?? null}
        next={next ?? beside?.next ?? null}
        now={now}
      />
      <ChannelStrip channels={channels} current={channel.idChannel} />
      <QueryPart name={t('live.later', { channel: channel.name })} query={query} waiting={null}>
        {() => <DayProgramme channel={channel} programmes={programmes} now={now} />}
      </QueryPart>
    </div>
  )
}
