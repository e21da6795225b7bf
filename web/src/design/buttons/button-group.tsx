import type { ReactNode } from 'react'
import styles from './button-group.module.css'

/**
 * Lays out buttons side by side, and stacks them if they do not fit. `isCentred` centres the buttons, as in a
 * centred message.
 */
export function ButtonGroup({ isCentred = false, children }: { isCentred?: boolean; children: ReactNode }) {
  return (
    <div className={styles.group} data-centred={isCentred || undefined}>
      {children}
    </div>
  )
}
