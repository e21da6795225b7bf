import styles from './guide-skeleton.module.css'

/** Placeholder of the guide. */
export function GuideSkeleton() {
  return (
    <div className={styles.screen} aria-busy="true">
      <div className={styles.bar}>
        <span className={styles.bone} />
        <span className={styles.bone} />
      </div>
      {ROWS.map((row) => (
        <div key={row} className={styles.row}>
          {BONES.map((bone) => (
            <span key={bone} className={styles.bone} style={{ flexGrow: 1 + ((row * 3 + bone * 2) % 4) }} />
          ))}
        </div>
      ))}
    </div>
  )
}

const ROWS = [1, 2, 3, 4, 5, 6]
const BONES = [1, 2, 3, 4]
