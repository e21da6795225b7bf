import type { ReactNode } from 'react'
import styles from './channel-grid.module.css'

/**
 * A grid of channels. It has fewer and larger cards than a grid of titles, because below each card a text describes the
 * programme.
 */
export function ChannelGrid({
  few = false,
  children,
}: {
  /**
   * Whether the channels are so few that in one row they would leave most of a large screen empty. They are then
   * larger, in two rows.
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
