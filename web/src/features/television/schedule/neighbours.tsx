import type { Programme } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { elapsedShare, liveState } from '../../../design/time/live-state.ts'
import { usePlace } from '../../../words/place.tsx'
import { spanText } from '../../ground/days/when.ts'
import styles from './neighbours.module.css'
import { programmePath } from './programme-path.ts'

/**
 * The current programme of a channel, and the programmes before and after it (V7-11). Leaves out an unknown
 * previous or next programme. `now` is in seconds since the Unix epoch.
 */
export function Neighbours({
  previous,
  current,
  next,
  now,
}: {
  previous: Programme | null
  current: Programme | null
  next: Programme | null
  now: number
}) {
  const { t } = useTranslation()
  const place = usePlace()
  return (
    <ul className={styles.list}>
      {(
        [
          ['previous', previous],
          ['current', current],
          ['next', next],
        ] as const
      )
        .filter(([which, programme]) => which === 'current' || programme !== null)
        .map(([which, programme]) => (
          <li key={which} className={styles.item} data-which={which}>
            <span className={styles.which}>
              {t(
                which === 'current' && programme !== null && liveState(programme, now) === 'live'
                  ? 'guide.onNow'
                  : `guide.${which}`,
              )}
            </span>
            {programme === null ? (
              <span className={styles.none}>{t('guide.unknown')}</span>
            ) : (
              <>
                <BareLink
                  to={programmePath(programme)}
                  className={styles.title}
                  {...(which === 'current' && { 'aria-current': true })}
                >
                  {programme.title}
                </BareLink>
                <span className={styles.time}>
                  {spanText(programme.startutc, programme.endutc, place, t)}
                </span>
                {liveState(programme, now) === 'live' && (
                  <span className={styles.progress}>
                    <Progress value={elapsedShare(programme, now)} tone="live" />
                  </span>
                )}
              </>
            )}
          </li>
        ))}
    </ul>
  )
}
