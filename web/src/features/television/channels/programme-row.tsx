import type { Channel, Programme } from '@ondine/contract/entities'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { Tag } from '../../../design/cards/tag.tsx'
import { StartOverIcon } from '../../../design/icons/screen-icons.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { Picture } from '../../../design/pictures/picture.tsx'
import { elapsedShare, type LiveState, liveState } from '../../../design/time/live-state.ts'
import { rangeLengthText, timeText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { channelAction } from '../../content/catalogue/playing.ts'
import { useSession } from '../../ground/session/session.ts'
import { RecordMark } from '../recordings/record-mark.tsx'
import { type Mark, markOf, useRecorded } from '../recordings/recorded-programmes.ts'
import { programmePath } from '../schedule/programme-path.ts'
import { mayStartOver, startOverKey } from '../schedule/start-over.ts'
import styles from './programme-row.module.css'

/** A programme in a channel's list: time, title, length and progress. `now` is in seconds since the Unix epoch. */
export function ProgrammeRow({
  programme,
  channel,
  now,
}: {
  programme: Programme
  channel: Channel
  now: number
}) {
  const { t } = useTranslation()
  const { kind } = channelAction(channel, useSession(), channel.detailRoute, t)
  const state = liveState(programme, now)
  return (
    <Row
      programme={programme}
      channel={channel}
      state={state}
      elapsed={state === 'live' ? elapsedShare(programme, now) : 0}
      startOver={kind === 'play' && mayStartOver(programme, channel, now)}
      mark={markOf(useRecorded(), programme)}
    />
  )
}

/** Memoised, because a day has hundreds of rows, but only the row of the current programme changes each second. */
const Row = memo(function Row({
  programme,
  channel,
  state,
  elapsed,
  startOver,
  mark,
}: {
  programme: Programme
  channel: Channel
  state: LiveState
  elapsed: number
  startOver: boolean
  /** The state of the programme's recording. */
  mark: Mark | undefined
}) {
  const { t } = useTranslation()
  const place = usePlace()
  const text = programme.subtitle || programme.synopsis
  return (
    <li className={styles.row} data-state={state}>
      <time className={styles.time} dateTime={new Date(programme.startutc * 1000).toISOString()}>
        {timeText(programme.startutc, place)}
      </time>
      <div className={styles.picture} style={{ '--channel': channel.color }}>
        {programme.image !== null && (
          <Picture image={programme.image} sizes="150px" blurred={programme.isBlurred} />
        )}
        {state === 'live' && (
          <span className={styles.progress}>
            <Progress value={elapsed} tone="live" />
          </span>
        )}
      </div>
      <div className={styles.words}>
        <h3 className={styles.name}>
          <BareLink to={programmePath(programme)} className={styles.link}>
            {programme.title}
          </BareLink>
          {state === 'live' && <Tag tone="live" text={t('tag.live')} />}
          {mark !== undefined && <RecordMark state={mark} />}
        </h3>
        {text !== '' && <p className={styles.text}>{text}</p>}
      </div>
      <div className={styles.facts}>
        {startOver && (
          <span className={styles.startOver} title={t(startOverKey(state))}>
            <StartOverIcon />
            <span className={UNSEEN}>{t(startOverKey(state))}</span>
          </span>
        )}
        <span className={styles.length}>{rangeLengthText(programme.startutc, programme.endutc, t)}</span>
      </div>
    </li>
  )
})
