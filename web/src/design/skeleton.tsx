import styles from './skeleton.module.css'

/** Stands where a page is about to be, at its final size, while it takes longer than a moment to come. */
export function PageSkeleton() {
  return (
    <div className={styles.page} aria-busy="true">
      <div className={styles.stage}>
        <span className={`${styles.bone} ${styles.title}`} />
        <span className={`${styles.bone} ${styles.line}`} />
        <span className={`${styles.bone} ${styles.button}`} />
      </div>
      <span className={`${styles.bone} ${styles.heading}`} />
      <div className={styles.rail}>
        {CARDS.map((card) => (
          <span key={card} className={`${styles.bone} ${styles.card}`} />
        ))}
      </div>
    </div>
  )
}

/** Enough to reach the edge of the widest window. */
const CARDS = [1, 2, 3, 4, 5, 6, 7, 8]
