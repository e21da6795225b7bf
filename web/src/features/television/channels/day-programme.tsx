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
import styles from './day-programme.module.css'
import { ProgrammeList } from './programme-list.tsx'

/** Number of programmes that are shown until the viewer requests the whole day. */
const FIRST = 12

/**
 * Today's programmes of a channel. The list begins with the current programme, until the viewer requests the whole
 * day.
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
      <ProgrammeList programmes={shown} channel={channel} now={now} />
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
