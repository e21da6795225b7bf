import type { Channel, Programme } from '@ondine/contract/entities'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlace } from '../../words/place.tsx'
import { newDay } from '../guide/when.ts'
import styles from './programme-list.module.css'
import { ProgrammeRow } from './programme-row.tsx'

/**
 * Programmes of a channel in order of time; where another day begins among them, that day is named. `now` in seconds since the Unix
 * epoch.
 */
export function ProgrammeList({
  programmes,
  channel,
  now,
  after,
}: {
  programmes: readonly Programme[]
  channel: Channel
  now: number
  /** What comes before the first of them: of its day the first one need not say which it is. */
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
