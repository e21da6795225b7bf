import type { ReactNode } from 'react'
import styles from './channel-grid.module.css'

/**
 * A grid of channels. Its cards are fewer and larger than in a grid of titles, because a text below each card
 * describes the programme.
 */
export function ChannelGrid({
  few = false,
  children,
}: {
  /**
   * Whether one row of normal cards would leave most of a large screen empty. The cards are then larger, in two
   * rows.
   */
  few?: boolean
  children: ReactNode
}) {
  return (
    <ul className={styles.grid} data-few={few || undefined}>
      {children}
    </ul>
  )
}
