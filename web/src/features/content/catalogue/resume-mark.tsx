import { useTranslation } from 'react-i18next'
import { PlayIcon } from '../../../design/icons/icons.tsx'
import { UNSEEN } from '../../../design/page/unseen.ts'
import styles from './resume-mark.module.css'

/** The mark on the picture of a card that resumes playback. */
export function ResumeMark() {
  const { t } = useTranslation()
  return (
    <span className={styles.mark}>
      <PlayIcon />
      <span className={UNSEEN}>{t('rail.resume')}</span>
    </span>
  )
}
