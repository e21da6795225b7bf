import { Grid } from '../../design/grid.tsx'
import { StageSkeleton } from '../../design/skeleton.tsx'

/** Stands where the live channels are about to be: the one on the stage, and the wall of all of them. */
export function LiveSkeleton() {
  return (
    <StageSkeleton isProgramme>
      <Grid layout="Cover" waiting={WAITING}>
        {null}
      </Grid>
    </StageSkeleton>
  )
}

/** Enough to fill what the stage leaves of a window. */
const WAITING = 8
