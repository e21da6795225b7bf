import type { ReactNode } from 'react'
import styles from './toast.module.css'

/** Where toasts stand, the newest lowest. One for a page, there before the first of them, so that each is read out. */
export function ToastRegion({ children }: { children: ReactNode }) {
  return (
    <div className={styles.region} aria-live="polite">
      {children}
    </div>
  )
}
