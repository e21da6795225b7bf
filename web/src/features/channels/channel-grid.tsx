import type { ReactNode } from 'react'
import styles from './channel-grid.module.css'

/** A wall of channels: fewer and larger than titles are, because what is on stands below each. */
export function ChannelGrid({
  few = false,
  children,
}: {
  /** So few that in one row they would leave a large screen empty: they stand larger, in two. */
  few?: boolean
  children: ReactNode
}) {
  return (
    <ul className={styles.grid} data-few={few || undefined}>
      {children}
    </ul>
  )
}
