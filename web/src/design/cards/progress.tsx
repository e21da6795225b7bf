import styles from './progress.module.css'

/**
 * A thin progress line. The value is from 0 to 1. With a `label`, screen readers get a progress bar. Without a
 * `label`, the line is decorative, and the text beside it must give the progress.
 */
export function Progress({
  value,
  tone = 'accent',
  label,
}: {
  value: number
  tone?: 'accent' | 'live'
  label?: string
}) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 1000) / 10
  return (
    <span
      className={styles.track}
      {...(label === undefined
        ? { 'aria-hidden': true }
        : {
            role: 'progressbar',
            'aria-label': label,
            'aria-valuenow': percent,
            'aria-valuemin': 0,
            'aria-valuemax': 100,
          })}
    >
      <span className={styles[tone]} style={{ width: `${percent}%` }} />
    </span>
  )
}
