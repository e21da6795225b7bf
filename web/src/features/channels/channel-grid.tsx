import type { ReactNode } from 'react'
import styles from './channel-grid.module.css'

/** A wall of channels: fewer and larger than titles are, because what is on stands below each. */
export function ChannelGrid({ children }: { children: ReactNode }) {
  return <ul className={styles.grid}>{children}</ul>
}
