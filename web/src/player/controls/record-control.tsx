import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { RecordIcon } from '../../design/icons/screen-icons.tsx'
import { useChangesOfState } from '../../features/television/recordings/recorded-programmes.ts'
import { timeLeftText, useRecordingTime } from '../../features/television/recordings/recording-time.ts'
import { offerSeries } from '../../features/television/recordings/series.ts'
import { type RecordAction, useRecordAction } from '../../features/television/recordings/use-record-action.ts'
import { ControlButton } from '../buttons/control-button.tsx'
import { recordableProgramme } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './record-control.module.css'

/**
 * The action of the record button and of the record key. Both concern the programme at the position of playback.
 */
export interface PlayerRecording extends RecordAction {
  /** The text of the button. Before a recording, it includes the remaining recording time of the account. */
  name: string
}

/**
 * Returns the action that records the programme at the position of playback, and then offers to record its series;
 * undefined if the programme cannot be recorded.
 */
export function usePlayerRecording(actor: PlayerActor): PlayerRecording | undefined {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const programme = useSelector(actor, (state) => recordableProgramme(state.context))
  const channel = useSelector(actor, ({ context: { playable } }) => playable?.title ?? '')
  const offering = useMutation({
    mutationFn: async () => {
      if (programme === undefined) return
      await offerSeries(queries, programme, { name: channel }, t, async (href) => await navigate({ href }))
    },
  })
  const action = useRecordAction(programme, () => void offering.mutateAsync())
  useChangesOfState({ enabled: programme !== undefined })
  const time = useRecordingTime({ enabled: programme !== undefined })
  if (programme === undefined) return undefined
  const name =
    action.state === 'none' && time !== undefined
      ? `${action.text} · ${timeLeftText(time, programme, action.continued, t)}`
      : action.text
  return { ...action, name }
}

/**
 * The button that records a channel's programme. It is red during a recording. If the programme cannot be
 * recorded, an empty element of the same width keeps the other buttons in place.
 */
export function RecordControl({ recording }: { recording: PlayerRecording | undefined }) {
  if (recording === undefined) return <span className={styles.place} />
  const { state, name, isPending, press } = recording
  return (
    <ControlButton className={styles.record} name={name} disabled={isPending} onPress={press}>
      <span className={styles.icon} data-state={state}>
        <RecordIcon />
      </span>
    </ControlButton>
  )
}
