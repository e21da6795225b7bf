import { UNSEEN } from '../page/unseen.ts'
import styles from './badge.module.css'

/** Higher counts are shown as this number with a plus sign. */
const HIGHEST = 99

/**
 * Shows a count of waiting items as a small number on a control. `label` is the accessible text. Renders
 * nothing when `count` is 0 or less.
 */
export function Badge({ count, label }: { count: number; label: string }) {
  if (count <= 0) return null
  return (
    <span className={styles.badge}>
      <span aria-hidden="true">{count > HIGHEST ? `${HIGHEST}+` : count}</span>
      <span className={UNSEEN}>{label}</span>
    </span>
  )
}
