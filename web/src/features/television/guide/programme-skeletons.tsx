import { StageSkeleton } from '../../../design/skeletons/skeleton.tsx'
import { useSession } from '../../ground/session/session.ts'
import styles from './programme-skeletons.module.css'

/** Placeholder of a channel's day: its name, the days, and a row per programme. */
export function DaySkeleton() {
  return (
    <div className={styles.screen} aria-busy="true">
      <span className={`${styles.bone} ${styles.name}`} />
      <span className={`${styles.bone} ${styles.days}`} />
      <Programmes />
    </div>
  )
}

/** Placeholder of a programme's page: its stage, and a row for each programme after it. */
export function ProgrammeSkeleton() {
  return (
    <StageSkeleton isProgramme>
      <Programmes />
    </StageSkeleton>
  )
}

/**
 * Placeholder of a channel's page: its stage, the programmes before and after the current one, the other channels, and
 * a row for each programme.
 */
export function ChannelSkeleton() {
  const { account } = useSession()
  return (
    <StageSkeleton isProgramme isForVisitor={account === null}>
      <div className={styles.neighbours}>
        <span className={styles.bone} />
        <span className={styles.bone} />
        <span className={styles.bone} />
      </div>
      <span className={`${styles.bone} ${styles.days}`} />
      <Programmes />
    </StageSkeleton>
  )
}

function Programmes() {
  return LINES.map((line) => (
    <div key={line} className={styles.programme}>
      <span className={`${styles.bone} ${styles.time}`} />
      <span className={`${styles.bone} ${styles.picture}`} />
      <span className={`${styles.bone} ${styles.title}`} />
    </div>
  ))
}

const LINES = [1, 2, 3, 4, 5, 6, 7, 8]
