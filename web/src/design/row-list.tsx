import type { ReactNode } from 'react'
import { ButtonGroup } from './button-group.tsx'
import styles from './row-list.module.css'

/** Things of an account below one another, each a {@link Row}. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

/** One of a {@link RowList}: what it is, what is to be known of it, and what can be done with it. */
export function Row({
  title,
  notes = [],
  children,
}: {
  title: string
  /** A line each. */
  notes?: readonly string[]
  children?: ReactNode
}) {
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <h3 className={styles.title}>{title}</h3>
        {notes.map((note) => (
          <p key={note} className={styles.note}>
            {note}
          </p>
        ))}
      </div>
      {children !== undefined && <ButtonGroup>{children}</ButtonGroup>}
    </li>
  )
}
