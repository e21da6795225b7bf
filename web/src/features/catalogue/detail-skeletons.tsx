import { RowSkeleton, StageSkeleton } from '../../design/skeleton.tsx'
import styles from './detail-skeletons.module.css'

/** Stands where a film is about to be: its stage, what is known of it, and the posters of others. */
export function AssetSkeleton() {
  return (
    <StageSkeleton>
      <div className={styles.about}>
        <div className={styles.facts}>
          {FACTS.map((fact) => (
            <span key={fact} className={styles.bone} />
          ))}
        </div>
        <span className={`${styles.bone} ${styles.reviews}`} />
      </div>
      <RowSkeleton posters />
    </StageSkeleton>
  )
}

/** Stands where a series is about to be: its stage, its parts, and the episodes of a season. */
export function SeriesSkeleton() {
  return (
    <StageSkeleton>
      <span className={`${styles.bone} ${styles.tabs}`} />
      {EPISODES.map((episode) => (
        <div key={episode} className={styles.episode}>
          <span className={`${styles.bone} ${styles.picture}`} />
          <span className={styles.bone} />
        </div>
      ))}
    </StageSkeleton>
  )
}

const FACTS = [1, 2, 3, 4, 5, 6]
const EPISODES = [1, 2, 3, 4]
