import type { ReactNode } from 'react'
import styles from './favourites-screen.module.css'

/** A section of a screen of cards, with its heading. `name` must be unique on the page. */
export function CardSection({ name, title, children }: { name: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={name}>
      <h2 id={name} className={styles.heading}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** A section whose feature is above this one, such as that of the recordings. */
export interface OtherCards {
  section: ReactNode
  /** Whether the section is empty. False as long as its content is not known. */
  isEmpty: boolean
}
