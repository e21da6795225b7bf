import styles from './badge.module.css'
import { UNSEEN } from './unseen.ts'

/** Higher counts are shown as this with a plus sign. */
const HIGHEST = 99

/** How many of something wait, as a small number on what it belongs to. `label` says it in words. Nothing waits: nothing shows. */
export function Badge({ count, label }: { count: number; label: string }) {
  if (count <= 0) return null
  return (
    <span className={styles.badge}>
      <span aria-hidden="true">{count > HIGHEST ? `${HIGHEST}+` : count}</span>
      <span className={UNSEEN}>{label}</span>
    </span>
  )
}
