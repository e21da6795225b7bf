import type { RecordedState } from '@ondine/contract/recording-states'
import { useTranslation } from 'react-i18next'
import { UNSEEN } from '../../../design/page/unseen.ts'
import styles from './record-mark.module.css'

/**
 * The state of a programme's recording: the mark of the guide with its meaning in words, so that viewers learn the
 * marks.
 */
export function RecordState({ state }: { state: RecordedState }) {
  const { t } = useTranslation()
  return (
    <span className={styles.words}>
      <span className={styles.mark} data-state={state} />
      {t(`recordings.mark-${state}`)}
    </span>
  )
}

/**
 * The mark of a programme that the profile records: red, but hollow before the recording begins, and amber after a
 * failure.
 */
export function RecordMark({ state }: { state: RecordedState }) {
  const { t } = useTranslation()
  const text = t(`recordings.mark-${state}`)
  return (
    <span className={styles.mark} data-state={state} title={text}>
      <span className={UNSEEN}>{text}</span>
    </span>
  )
}
