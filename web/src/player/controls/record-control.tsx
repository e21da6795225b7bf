import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { RecordIcon } from '../../design/icons/screen-icons.tsx'
import { useChangesOfState } from '../../features/television/recordings/recorded-programmes.ts'
import { timeLeftText, useRecordingTime } from '../../features/television/recordings/recording-time.ts'
import { type RecordAction, useRecordAction } from '../../features/television/recordings/use-record-action.ts'
import { ControlButton } from '../buttons/control-button.tsx'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './record-control.module.css'

/** The action of the record button and its key, for the programme at the position of playback. */
export interface PlayerRecording extends RecordAction {
  /** The text of the button, with the recording time that is left before something is recorded. */
  name: string
}

/** Returns the recording of the programme at the position of playback; undefined if it cannot be recorded. */
export function usePlayerRecording(actor: PlayerActor): PlayerRecording | undefined {
  const { t } = useTranslation()
  const live = useSelector(actor, (state) => state.context.liveEpgProgram)
  const programme = live?.npvrEnabled === true ? live : undefined
  const action = useRecordAction(programme)
  useChangesOfState({ enabled: programme !== undefined })
  const time = useRecordingTime({ enabled: programme !== undefined })
  if (programme === undefined) return undefined
  const name =
    action.state === 'none' && time !== undefined
      ? `${action.text} · ${timeLeftText(time, programme, t)}`
      : action.text
  return { ...action, name }
}

/**
 * The button that records the programme of a channel. It is red while the programme is being recorded. Without a
 * recordable programme its place is empty, so that nothing moves when the programme is known.
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
