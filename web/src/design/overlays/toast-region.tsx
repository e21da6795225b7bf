import type { ReactNode } from 'react'
import styles from './toast.module.css'

/**
 * The container of toasts, with the newest at the bottom. Each page has it from the start, so that screen
 * readers announce each toast.
 */
export function ToastRegion({ children }: { children: ReactNode }) {
  return (
    <div className={styles.region} aria-live="polite">
      {children}
    </div>
  )
}
