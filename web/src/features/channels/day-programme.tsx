import type { Channel, Programme } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/button.tsx'
import { elapsedShare, liveState } from '../../design/live-state.ts'
import { Picture } from '../../design/picture.tsx'
import { Progress } from '../../design/progress.tsx'
import { Tag } from '../../design/tag.tsx'
import { secondsText, timeText } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import { PartError } from '../errors/part-error.tsx'
import styles from './day-programme.module.css'
import { hoursOfDay, startOfDay } from './programme-time.ts'
import { dayQuery } from './queries.ts'

/** Shown before the whole day is asked for. */
const FIRST = 12

/** Today's programmes of a channel: from now on at first, the whole day when asked for. */
export function DayProgramme({
  channel,
  programmes,
  now,
}: {
  channel: Channel
  programmes: Programme[]
  now: number
}) {
  const { t } = useTranslation()
  const timeZone = useRouteContext({ from: '__root__', select: ({ environment }) => environment.timeZone })
  const [whole, setWhole] = useState(false)
  const midnight = startOfDay(now, timeZone)
  const day = useQuery({
    ...dayQuery(midnight, hoursOfDay(midnight, timeZone), channel.idChannel),
    enabled: whole,
  })
  const coming = programmes.filter((programme) => liveState(programme, now) !== 'done').slice(0, FIRST)
  const shown = (whole ? day.data?.[`chan_${channel.idChannel}`] : undefined) ?? coming
  const title = t('live.later', { channel: channel.name })
  return (
    <section className={styles.day} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {shown.length === 0 && <p className={styles.empty}>{t('live.noProgrammes')}</p>}
      <ol>
        {shown.map((programme) => (
          <ProgrammeRow key={programme.id} programme={programme} now={now} />
        ))}
      </ol>
      {day.isError && !day.isFetching && <PartError name="" onRetry={() => void day.refetch()} />}
      {shown.length > 0 && (!whole || day.isFetching) && (
        <div className={styles.more}>
          <Button isPending={day.isFetching} onPress={() => setWhole(true)}>
            {t('live.wholeDay')}
          </Button>
        </div>
      )}
    </section>
  )
}

function ProgrammeRow({ programme, now }: { programme: Programme; now: number }) {
  const { t } = useTranslation()
  const place = usePlace()
  const state = liveState(programme, now)
  return (
    <li className={styles.row} data-state={state}>
      <time className={styles.time} dateTime={new Date(programme.startutc * 1000).toISOString()}>
        {timeText(programme.startutc, place)}
      </time>
      <div className={styles.picture}>
        {programme.image !== null && <Picture image={programme.image} sizes="150px" />}
        {state === 'live' && (
          <span className={styles.progress}>
            <Progress value={elapsedShare(programme, now)} tone="live" />
          </span>
        )}
      </div>
      <div className={styles.words}>
        <h3 className={styles.name}>
          {programme.title}
          {state === 'live' && <Tag tone="live" text={t('tag.live')} />}
        </h3>
        <p className={styles.text}>{programme.subtitle || programme.synopsis}</p>
      </div>
      <span className={styles.length}>{secondsText(programme.duration, t)}</span>
    </li>
  )
}
