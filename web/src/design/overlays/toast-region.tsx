import type { ReactNode } from 'react'
import styles from './toast.module.css'

/**
 * The container of toasts, with the newest toast at the bottom. The container is part of each page from the start,
 * because screen readers announce only changes of existing elements.
 */
export function ToastRegion({ children }: { children: ReactNode }) {
  return (
    <div className={styles.region} aria-live="polite">
      {children}
    </div>
  )
}
