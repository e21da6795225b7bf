import { Grid } from '../../../design/lists/grid.tsx'
import { StageSkeleton } from '../../../design/skeletons/skeleton.tsx'

/** Placeholder of the live screen: a stage, and the grid of all channels. */
export function LiveSkeleton() {
  return (
    <StageSkeleton isProgramme>
      <Grid layout="Cover" waiting={WAITING}>
        {null}
      </Grid>
    </StageSkeleton>
  )
}

/** Enough to fill the rest of a window below the stage. */
const WAITING = 8
