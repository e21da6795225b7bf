import type { ReactNode } from 'react'
import styles from './screen-title.module.css'

/** The heading of a screen that stands beside a menu of its kind: those of an account. */
export function ScreenTitle({ children }: { children: ReactNode }) {
  return <h1 className={styles.title}>{children}</h1>
}
