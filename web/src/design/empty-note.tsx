import type { ReactNode } from 'react'
import styles from './empty-note.module.css'

/** What stands in the place of a list that has nothing in it: why, and a way on. */
export function EmptyNote({ icon, text, children }: { icon: ReactNode; text: string; children?: ReactNode }) {
  return (
    <div className={styles.note}>
      <span className={styles.icon}>{icon}</span>
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  )
}
