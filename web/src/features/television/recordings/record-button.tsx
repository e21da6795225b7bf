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
import { useSession } from '../../ground/session/session.ts'
import { useShop } from '../../rights/offers/use-shop.ts'
import styles from './record-button.module.css'
import {
  fits,
  isLow,
  knownTime,
  roomText,
  secondsToRecord,
  timeLeftText,
  useRecordingTime,
} from './recording-time.ts'
import { quotaQuery } from './recordings-query.ts'
import { useRecordAction } from './use-record-action.ts'

/** A programme with its channel. */
interface OnChannel {
  programme: Programme
  channel: Channel
}

/**
 * Records a programme. If the recording is already planned, the button cancels it. If the recording is in progress,
 * the button stops it. If it has ended before its programme, the button records the rest. For a
 * finished recording, the button leads to the recordings and deletes nothing. After a failed recording, the button
 * records the next showing, if any. The remaining recording time is the button's accessible description. Renders nothing
 * for a viewer who may not play the channel, whose play button explains the requirements.
 */
export function RecordButton({ programme, channel }: OnChannel) {
  const { t } = useTranslation()
  const mayRecord = useMayRecord({ programme, channel })
  const { state, text, continued, isPending, press } = useRecordAction(programme)
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
          {timeLeftText(time, programme, continued, t)}
        </span>
      )}
    </Button>
  )
}

/**
 * The recording time of the account beside a record button (A6-10): what is left, what recordings use, and what those in
 * progress and planned ones will need. If little is left, or too little for the programme, it has a link to the offers.
 */
export function RecordNote({ programme, channel }: OnChannel) {
  const { t } = useTranslation()
  const { shop } = useShop()
  const mayRecord = useMayRecord({ programme, channel })
  const { state, continued } = useRecordAction(programme)
  const { data } = useQuery({ ...quotaQuery, enabled: mayRecord })
  const time = knownTime(data)
  if (!mayRecord || data === undefined || time === undefined) return null
  const isTooLong = state === 'none' && !fits(time, secondsToRecord(programme, continued))
  return (
    <p className={styles.note} data-full={isTooLong || undefined}>
      {isTooLong ? timeLeftText(time, programme, continued, t) : roomText(data.npvr, t)}
      {(isTooLong || isLow(time)) && shop.kind !== 'closed' && (
        <TextLink to={pathOf('offers')}>{t('recordings.moreHours')}</TextLink>
      )}
    </p>
  )
}

/**
 * Returns whether the recording time is settled: fetched, failed, or not needed for this viewer. A page waits for
 * this before it shows a {@link RecordNote}.
 */
export function useIsRecordingTimeKnown({ isIncludedInUserOffers }: Channel): boolean {
  const enabled = useSession().profile !== null && isIncludedInUserOffers
  const { isFetched } = useQuery({ ...quotaQuery, enabled })
  return isFetched || !enabled
}

/**
 * Returns whether the viewer may record a programme: the guide and the channel allow recording, and the viewer may play
 * the channel.
 */
export function useMayRecord({ programme, channel }: OnChannel): boolean {
  const { t } = useTranslation()
  const { kind } = channelAction(channel, useSession(), channel.detailRoute, t)
  return programme.npvrEnabled && channel.item.allowRecording && kind === 'play'
}
