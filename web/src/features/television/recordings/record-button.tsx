import type { Channel, Programme } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, RowWords } from '../../../design/buttons/button.tsx'
import { TextLink } from '../../../design/buttons/link.tsx'
import { RecordIcon } from '../../../design/icons/screen-icons.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import { channelAction } from '../../content/catalogue/playing.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { isChild, useSession } from '../../ground/session/session.ts'
import styles from './record-button.module.css'
import { fits, isLow, timeLeftText, useRecordingTime } from './recording-time.ts'
import { quotaQuery } from './recordings-query.ts'
import { useRecordAction } from './use-record-action.ts'

/** A programme with its channel. */
interface OnChannel {
  programme: Programme
  channel: Channel
}

/**
 * Records a programme. If it is recorded already, cancels the planned recording or stops the running recording. A
 * finished recording is not deleted here: the button leads to it. After a failed recording, the button records the next
 * showing, if there is one. The recording time that is left describes the button. A viewer who may not play the channel
 * learns the requirements from the channel's play button.
 */
export function RecordButton({ programme, channel }: OnChannel) {
  const { t } = useTranslation()
  const mayRecord = useMayRecord({ programme, channel })
  const { state, text, isPending, press } = useRecordAction(programme)
  const time = useRecordingTime({ enabled: mayRecord })
  const described = useId()
  if (!mayRecord) return null
  const isNew = state === 'none' && time !== undefined
  return (
    <Button
      className={styles.record}
      data-state={state}
      isPending={isPending}
      onPress={press}
      {...(isNew && { 'aria-describedby': described })}
    >
      <RecordIcon />
      <RowWords>{text}</RowWords>
      {isNew && (
        <span id={described} className={UNSEEN} aria-hidden="true">
          {timeLeftText(time, programme, t)}
        </span>
      )}
    </Button>
  )
}

/**
 * Says that little recording time is left, or too little for a programme that can be recorded (A6-10), and leads to the
 * offers. Empty while there is enough.
 */
export function RecordNote({ programme, channel }: OnChannel) {
  const { t } = useTranslation()
  const session = useSession()
  const mayRecord = useMayRecord({ programme, channel })
  const { state } = useRecordAction(programme)
  const time = useRecordingTime({ enabled: mayRecord })
  if (!mayRecord || state !== 'none' || time === undefined) return null
  const isTooLong = !fits(time, programme.endutc - programme.startutc)
  if (!isTooLong && !isLow(time)) return null
  return (
    <p className={styles.note} data-full={isTooLong || undefined}>
      {timeLeftText(time, programme, t)}
      {!isChild(session) && <TextLink to={pathOf('offers')}>{t('recordings.moreHours')}</TextLink>}
    </p>
  )
}

/**
 * Returns whether the recording time is settled: fetched, failed, or not needed for this viewer. A place that shows a
 * {@link RecordNote} waits until it is.
 */
export function useIsRecordingTimeKnown({ isIncludedInUserOffers }: Channel): boolean {
  const enabled = useSession().profile !== null && isIncludedInUserOffers
  const { isFetched } = useQuery({ ...quotaQuery, enabled })
  return isFetched || !enabled
}

/**
 * Returns whether the viewer may record a programme: one that can be recorded, on a channel that the viewer may play.
 */
export function useMayRecord({ programme, channel }: OnChannel): boolean {
  const { t } = useTranslation()
  const { kind } = channelAction(channel, useSession(), channel.detailRoute, t)
  return programme.npvrEnabled && kind === 'play'
}
