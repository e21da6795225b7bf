import type { ReactNode } from 'react'
import { ButtonGroup } from '../buttons/button-group.tsx'
import styles from './row-list.module.css'

/** A vertical list of things of an account, such as devices. Each is a {@link Row}. */
export function RowList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  )
}

/** A row of a {@link RowList}: a title, notes and actions. */
export function Row({
  title,
  id,
  notes = [],
  children,
}: {
  title: string
  /** Id of the row, unique on its screen. A screen uses it to move the focus to another row after a removal. */
  id?: string
  /** Notes, each on a separate line. */
  notes?: readonly string[]
  children?: ReactNode
}) {
  return (
    <li className={styles.row} data-row={id}>
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
