import type { Programme } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { Progress } from '../../../design/cards/progress.tsx'
import { elapsedShare } from '../../../design/time/live-state.ts'
import { secondsText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { spanText } from '../../ground/days/when.ts'
import styles from './now-line.module.css'

/** The times, the progress and the remaining time of a programme. `now` is in seconds since the Unix epoch. */
export function NowLine({ programme, now }: { programme: Programme; now: number }) {
  const { t } = useTranslation()
  const place = usePlace()
  return (
    <div className={styles.now}>
      <span>{spanText(programme.startutc, programme.endutc, place, t)}</span>
      <span className={styles.line}>
        <Progress
          value={elapsedShare(programme, now)}
          tone="live"
          label={t('live.progress', { title: programme.title })}
        />
      </span>
      <span>{t('meta.remaining', { duration: secondsText(programme.endutc - now, t) })}</span>
    </div>
  )
}
