import type { ScreenState } from '@ondine/contract/casting'
import styles from './cast-progress.module.css'
import { castShare } from './cast-target.ts'
import { useCastPosition } from './use-cast-position.ts'

/** A line with the played share of what a screen plays. Screen readers get the position from the controls. */
export function CastProgress({ media }: { media: ScreenState | null }) {
  const position = useCastPosition(media)
  const share = media === null ? undefined : castShare(media, position)
  if (share === undefined) return null
  return (
    <span className={styles.track} data-progress aria-hidden="true">
      <span className={styles.played} style={{ transform: `scaleX(${share})` }} />
    </span>
  )
}
