import { useTranslation } from 'react-i18next'
import { UNSEEN } from '../../../design/page/unseen.ts'
import styles from './record-mark.module.css'
import type { Mark } from './recorded-programmes.ts'

/**
 * The state of a programme's recording: the mark of the guide with its meaning in words, so that viewers learn the
 * marks.
 */
export function RecordState({ state }: { state: Mark }) {
  const { t } = useTranslation()
  return (
    <span className={styles.words}>
      <span className={styles.mark} data-state={state} />
      {t(`recordings.mark-${state}`)}
    </span>
  )
}

/**
 * The mark of a programme that the profile records: red, but hollow before the recording begins, amber after a
 * failure, and hollow and amber while the guide forbids the recording.
 */
export function RecordMark({ state }: { state: Mark }) {
  const { t } = useTranslation()
  const text = t(`recordings.mark-${state}`)
  return (
    <span className={styles.mark} data-state={state} title={text}>
      <span className={UNSEEN}>{text}</span>
    </span>
  )
}
