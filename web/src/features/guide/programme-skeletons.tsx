import { StageSkeleton } from '../../design/skeleton.tsx'
import styles from './programme-skeletons.module.css'

/** Stands where a channel's programmes of a day are about to be: its name, the days, and a line for each programme. */
export function DaySkeleton() {
  return (
    <div className={styles.screen} aria-busy="true">
      <span className={`${styles.bone} ${styles.name}`} />
      <span className={`${styles.bone} ${styles.days}`} />
      <Programmes />
    </div>
  )
}

/** Stands where a programme is about to be: its stage, and a line for each programme that follows it. */
export function ProgrammeSkeleton() {
  return (
    <StageSkeleton isProgramme>
      <Programmes />
    </StageSkeleton>
  )
}

/** Stands where a channel is about to be: its stage, what runs before and after, the other channels, and a line for each programme. */
export function ChannelSkeleton() {
  return (
    <StageSkeleton isProgramme>
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
