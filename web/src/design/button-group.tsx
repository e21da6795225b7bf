import type { ReactNode } from 'react'
import styles from './button-group.module.css'

/** Buttons side by side, and below one another where they have no room. `isCentred`: in the middle of a note or of a screen. */
export function ButtonGroup({ isCentred = false, children }: { isCentred?: boolean; children: ReactNode }) {
  return (
    <div className={styles.group} data-centred={isCentred || undefined}>
      {children}
    </div>
  )
}
