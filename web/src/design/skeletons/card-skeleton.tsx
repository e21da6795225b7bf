import type { RailLayout } from '../tokens/layouts.ts'
import styles from './card-skeleton.module.css'

/** Placeholder of a rail, with the rail's final size. */
export function RailSkeleton({ layout }: { layout: RailLayout }) {
  return (
    <div className={styles.rail} aria-busy="true">
      <span className={`${styles.bone} ${styles.heading}`} />
      <div className={styles.track}>
        {CARDS.map((card) => (
          <div key={card} className={`${styles.slide} ${styles[layout]}`}>
            <CardSkeleton layout={layout} />
          </div>
        ))}
      </div>
    </div>
  )
}

/** Placeholder of a card in a rail or a {@link Grid}, with the card's final size. */
export function CardSkeleton({ layout }: { layout: RailLayout }) {
  return (
    <span className={`${styles.card} ${styles[layout]}`} aria-hidden="true">
      <span className={`${styles.bone} ${styles.frame}`} />
      {WITH_CAPTION.has(layout) && (
        <span className={styles.caption}>
          <span className={`${styles.bone} ${styles.title}`} />
          <span className={`${styles.bone} ${styles.subtitle}`} />
        </span>
      )}
    </span>
  )
}

const CARDS = [1, 2, 3, 4, 5, 6, 7, 8]
const WITH_CAPTION: ReadonlySet<RailLayout> = new Set(['Cover', 'Circle', 'Inline', 'PosterDetail'])
