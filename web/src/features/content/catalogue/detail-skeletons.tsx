import { RowSkeleton, StageSkeleton } from '../../../design/skeletons/skeleton.tsx'
import { useSession } from '../../ground/session/session.ts'
import styles from './detail-skeletons.module.css'

/** Placeholder of a film page: its stage, its facts, and the posters of related titles. */
export function AssetSkeleton() {
  const { account } = useSession()
  return (
    <StageSkeleton isForVisitor={account === null}>
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

/** Placeholder of a series page: its stage, its tabs, and the episodes of a season. */
export function SeriesSkeleton() {
  const { account } = useSession()
  return (
    <StageSkeleton isForVisitor={account === null}>
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
