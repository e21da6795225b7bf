import type { ReactNode } from 'react'
import styles from './section.module.css'

/** A section of an account screen with its own heading. `id` is the heading's id. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <SectionTitle id={id}>{title}</SectionTitle>
      {children}
    </section>
  )
}

/** The heading of a section of an account screen. */
export function SectionTitle({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <h2 id={id} className={styles.title}>
      {children}
    </h2>
  )
}

/** The introductory sentence of a {@link Section}. */
export function SectionText({ children }: { children: ReactNode }) {
  return <p className={styles.text}>{children}</p>
}

/** Placeholder of a list that is loading. */
export function SectionSkeleton() {
  return <div className={styles.waiting} aria-busy="true" />
}
