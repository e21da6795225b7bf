import { Grid } from '../../../design/lists/grid.tsx'
import { StageSkeleton } from '../../../design/skeletons/skeleton.tsx'
import { useSession } from '../../ground/session/session.ts'

/** Placeholder of the live screen: a stage, and the grid of all channels. */
export function LiveSkeleton() {
  const { account } = useSession()
  return (
    <StageSkeleton isProgramme isForVisitor={account === null}>
      <Grid layout="Cover" waiting={WAITING}>
        {null}
      </Grid>
    </StageSkeleton>
  )
}

/** Number of placeholders in the grid. They fill the part of the window below the stage. */
const WAITING = 8
