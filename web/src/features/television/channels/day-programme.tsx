import type { Channel, Programme } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { liveState } from '../../../design/time/live-state.ts'
import { usePlace } from '../../../words/place.tsx'
import { dayQuery } from '../../content/line-up/queries.ts'
import { hoursOfDay, startOfDay } from '../../ground/days/programme-time.ts'
import { PartError } from '../../ground/errors/part-error.tsx'
import { KEPT_FRESH } from '../schedule/queries.ts'
import styles from './day-programme.module.css'
import { ProgrammeList } from './programme-list.tsx'

/** Number of programmes that are shown until the viewer requests the whole day. */
const FIRST = 12

/**
 * Today's programmes of a channel. The list begins with the current programme, until the viewer requests the whole
 * day. `programmes` are those of the next hours. If there are none, the list shows the next programmes of the day.
 */
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
  const { timeZone } = usePlace()
  const [whole, setWhole] = useState(false)
  const midnight = startOfDay(now, timeZone)
  const isComing = (programme: Programme) => liveState(programme, now) !== 'done'
  const soon = programmes.filter(isComing)
  const day = useQuery({
    ...dayQuery(midnight, hoursOfDay(midnight, timeZone), channel.idChannel),
    ...KEPT_FRESH,
    enabled: whole || soon.length === 0,
  })
  const ofDay = day.data && (day.data[`chan_${channel.idChannel}`] ?? [])
  const coming = (soon.length > 0 ? soon : (ofDay?.filter(isComing) ?? [])).slice(0, FIRST)
  const shown = (whole ? ofDay : undefined) ?? coming
  const isFailed = day.isError && !day.isFetching
  const title = t('live.later', { channel: channel.name })
  return (
    <section className={styles.day} aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {shown.length === 0 && ofDay !== undefined && (
        <p className={styles.empty}>{t(ofDay.length === 0 ? 'live.noProgrammes' : 'live.noneLater')}</p>
      )}
      <ProgrammeList programmes={shown} channel={channel} now={now} />
      {isFailed && <PartError name="" onRetry={() => void day.refetch()} />}
      {!isFailed && (ofDay === undefined || (!whole && shown.length < ofDay.length)) && (
        <div className={styles.more}>
          <Button isPending={day.isFetching} onPress={() => setWhole(true)}>
            {t('live.wholeDay')}
          </Button>
        </div>
      )}
    </section>
  )
}
