import type { RecordedState } from '@ondine/contract/recording-states'
import { useTranslation } from 'react-i18next'
import { UNSEEN } from '../../../design/page/unseen.ts'
import styles from './record-mark.module.css'

/** The state of a programme's recording: its mark with its words, so that viewers learn the marks of the guide. */
export function RecordState({ state }: { state: RecordedState }) {
  const { t } = useTranslation()
  return (
    <span className={styles.words}>
      <span className={styles.mark} data-state={state} />
      {t(`recordings.mark-${state}`)}
    </span>
  )
}

/** A mark on a programme that the profile records: red, hollow before it begins; amber if the recording failed. */
export function RecordMark({ state }: { state: RecordedState }) {
  const { t } = useTranslation()
  const text = t(`recordings.mark-${state}`)
  return (
    <span className={styles.mark} data-state={state} title={text}>
      <span className={UNSEEN}>{text}</span>
    </span>
  )
}
