import styles from './text-skeleton.module.css'

/** Placeholder of a page of text: its title and its first lines. */
export function TextSkeleton() {
  return (
    <div className={styles.page} aria-busy="true">
      <span className={`${styles.bone} ${styles.title}`} />
      {LINES.map((line) => (
        <span key={line} className={styles.bone} />
      ))}
    </div>
  )
}

const LINES = [1, 2, 3, 4, 5, 6, 7, 8]
