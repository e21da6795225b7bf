import type { ReactNode } from 'react'
import styles from './channel-grid.module.css'

/**
 * A grid of channels, with fewer and larger cards than for titles, because the programme is described below
 * each card.
 */
export function ChannelGrid({
  few = false,
  children,
}: {
  /** Whether the channels are so few that one row would leave a large screen empty. They are then larger, in two rows. */
  few?: boolean
  children: ReactNode
}) {
  return (
    <ul className={styles.grid} data-few={few || undefined}>
      {children}
    </ul>
  )
}
