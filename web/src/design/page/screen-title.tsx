import type { ReactNode } from 'react'
import styles from './screen-title.module.css'

/** The heading of a screen with a side menu, such as an account screen. */
export function ScreenTitle({ children }: { children: ReactNode }) {
  return <h1 className={styles.title}>{children}</h1>
}
