import type { ReactNode } from 'react'
import styles from './skeleton.module.css'

/** Stands where a page that opens with a large picture is about to be; `children` stand where what follows will. */
export function StageSkeleton({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page} aria-busy="true">
      <div className={styles.stage}>
        <span className={`${styles.bone} ${styles.title}`} />
        <span className={`${styles.bone} ${styles.line}`} />
        <span className={`${styles.bone} ${styles.button}`} />
      </div>
      {children}
    </div>
  )
}

/** Stands where a large picture and rails are about to be, at their final size, while they take longer than a moment to come. */
export function PageSkeleton() {
  return (
    <StageSkeleton>
      <span className={`${styles.bone} ${styles.heading}`} />
      <div className={styles.rail}>
        {CARDS.map((card) => (
          <span key={card} className={`${styles.bone} ${styles.card}`} />
        ))}
      </div>
    </StageSkeleton>
  )
}

/** Enough to reach the edge of the widest window. */
const CARDS = [1, 2, 3, 4, 5, 6, 7, 8]
