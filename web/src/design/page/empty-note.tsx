import type { ReactNode } from 'react'
import styles from './empty-note.module.css'

/** Replaces an empty list: says why it is empty and offers a next step. */
export function EmptyNote({ icon, text, children }: { icon: ReactNode; text: string; children?: ReactNode }) {
  return (
    <div className={styles.note}>
      <span className={styles.icon}>{icon}</span>
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  )
}
