import { Grid } from './grid.tsx'
import styles from './list-skeleton.module.css'

/** Placeholder of a screen with a heading and a grid of covers, at its final size. */
export function ListSkeleton() {
  return (
    <div className={styles.screen} aria-busy="true">
      <span className={styles.heading} />
      <Grid layout="Cover" waiting={WAITING}>
        {null}
      </Grid>
    </div>
  )
}

/** Number of placeholders. This is enough to fill a window. */
const WAITING = 21
