import type { ReactNode } from 'react'
import styles from './gallery-section.module.css'

/** A section of the gallery with its heading. */
export function GallerySection({
  title,
  wide = false,
  children,
}: {
  title: string
  wide?: boolean
  children: ReactNode
}) {
  return (
    <section className={styles.section} data-wide={wide || undefined}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  )
}
