import type { Channel, Programme } from '@ondine/contract/entities'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlace } from '../../../words/place.tsx'
import { newDay } from '../../ground/days/when.ts'
import styles from './programme-list.module.css'
import { ProgrammeRow } from './programme-row.tsx'

/** A channel's programmes, sorted by time. Each day has a heading. `now` is in seconds since the Unix epoch. */
export function ProgrammeList({
  programmes,
  channel,
  now,
  after,
}: {
  programmes: readonly Programme[]
  channel: Channel
  now: number
  /**
   * The programme before the list. If it is on the same day as the first programme of the list, the list begins
   * without the heading of that day.
   */
  after?: Programme
}) {
  const { t } = useTranslation()
  const place = usePlace()
  return (
    <ol>
      {programmes.map((programme, index) => {
        const day = newDay(programme, programmes[index - 1] ?? after ?? programme, now, place, t)
        return (
          <Fragment key={programme.id}>
            {day !== undefined && <li className={styles.day}>{day}</li>}
            <ProgrammeRow programme={programme} channel={channel} now={now} />
          </Fragment>
        )
      })}
    </ol>
  )
}
