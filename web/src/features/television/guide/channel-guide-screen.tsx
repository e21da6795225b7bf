import type { Channel, Programme } from '@ondine/contract/entities'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { Picture } from '../../../design/pictures/picture.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { type GuideDay, guideDays } from '../../ground/days/days.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { channelDayQuery } from '../schedule/queries.ts'
import styles from './channel-guide-screen.module.css'
import { DayOfChannel } from './day-of-channel.tsx'
import { DayTabs } from './guide-toolbar.tsx'
import { nextDay } from './next-day.ts'
import { dayRange } from './range.ts'
import { useDayName } from './use-day-name.ts'

/**
 * The guide of one channel, day by day (V2.1-10). `date` is the day in the address. If undefined, the screen shows
 * today.
 */
export function ChannelGuideScreen({ channel, date }: { channel: Channel; date: string | undefined }) {
  const { t } = useTranslation()
  const now = useNow()
  const { timeZone } = usePlace()
  const navigate = useNavigate()
  const dayName = useDayName()
  const guide = guideDays(now, timeZone, dayRange(useConfiguration().guide.epgGridConfiguration))
  const day = guide.days.find((each) => each.date === date) ?? guide.today
  const path = `${channel.detailRoute}/epg`
  return (
    <div className={styles.screen}>
      <header className={styles.head}>
        {channel.logoImage !== null && (
          <Picture image={channel.logoImage} sizes="72px" className={styles.logo} />
        )}
        <h1 className={styles.title}>{t('guide.channelGuide', { channel: channel.name })}</h1>
        <ButtonLink to={channel.detailRoute}>{t('guide.toChannel', { channel: channel.name })}</ButtonLink>
      </header>
      <DayTabs
        guide={guide}
        shown={day}
        path={path}
        onDay={({ date: wanted }) =>
          void navigate({ to: path, search: { day: wanted }, replace: true, resetScroll: false })
        }
      />
      <QueryPart
        key={day.date}
        name={dayName(day.start)}
        query={channelDayQuery(day, channel.idChannel)}
        waiting={<div className={styles.waiting} aria-busy="true" />}
      >
        {(answer) => {
          const programmes = answer[`chan_${channel.idChannel}`] ?? []
          if (programmes.length === 0) return <p className={styles.empty}>{t('live.noProgrammes')}</p>
          const next = nextDay(guide, day, programmes, now)
          return (
            <>
              <DayOfChannel channel={channel} day={day} programmes={programmes} now={now} />
              {next !== undefined && (
                <NextDay channel={channel} day={next} after={programmes.at(-1)} now={now} />
              )}
            </>
          )
        }}
      </QueryPart>
    </div>
  )
}

/** The programmes of the next day, below the last programmes of today. */
function NextDay({
  channel,
  day,
  after,
  now,
}: {
  channel: Channel
  day: GuideDay
  /** The last programme of today. If it continues after midnight, the next day's list leaves it out. */
  after: Programme | undefined
  now: number
}) {
  const dayName = useDayName()
  const name = dayName(day.start)
  return (
    <QueryPart name={name} query={channelDayQuery(day, channel.idChannel)} waiting={null}>
      {(answer) => {
        const programmes = (answer[`chan_${channel.idChannel}`] ?? []).filter(
          ({ startutc }) => startutc >= (after?.endutc ?? day.start),
        )
        return programmes.length === 0 ? null : (
          <section className={styles.next} aria-label={name}>
            <h2>{name}</h2>
            <DayOfChannel channel={channel} day={day} programmes={programmes} now={now} />
          </section>
        )
      }}
    </QueryPart>
  )
}
