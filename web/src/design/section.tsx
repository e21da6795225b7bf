import type { ReactNode } from 'react'
import styles from './section.module.css'

/** A part of a screen of the account, under a heading of its own. `id` is that of the heading. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <SectionTitle id={id}>{title}</SectionTitle>
      {children}
    </section>
  )
}

/** The heading of a part of a screen of the account. */
export function SectionTitle({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <h2 id={id} className={styles.title}>
      {children}
    </h2>
  )
}

/** What a {@link Section} says in a sentence. */
export function SectionText({ children }: { children: ReactNode }) {
  return <p className={styles.text}>{children}</p>
}

/** Keeps the place of a list that has yet to come. */
export function SectionSkeleton() {
  return <div className={styles.waiting} aria-busy="true" />
}
