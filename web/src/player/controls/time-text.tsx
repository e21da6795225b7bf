import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { playerTime } from '../../design/time/time-display.ts'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import { isBehindLive } from '../engine/live-edge.ts'
import { canMove } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './time-text.module.css'

/**
 * The position and the duration. On a live stream, the distance from the live edge, and a button back to the live
 * edge (V1-08, V4-42, V4-43).
 */
export function TimeText({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('player')
  const { backToLiveEnabled } = useConfiguration().live
  const live = useSelector(actor, (state) => state.context.playable?.live === true)
  // Rounded, because the last frame of a film ends slightly before the duration in the manifest.
  const duration = useSelector(actor, (state) => Math.round(state.context.reading.duration))
  const position = useSelector(actor, (state) => Math.floor(state.context.reading.position))
  const behind = useSelector(actor, ({ context: { reading, playable, ...rest } }) =>
    canMove({ playable, reading, ...rest }) && isBehindLive(reading.position, reading.edge)
      ? Math.round(reading.edge - reading.position)
      : 0,
  )
  if (live) {
    if (behind === 0)
      return (
        <span className={styles.live} data-edge>
          {t('live')}
        </span>
      )
    const text = (
      <>
        {t('live')}
        <span className={styles.behind}>−{playerTime(behind, behind)}</span>
      </>
    )
    return backToLiveEnabled ? (
      <button
        type="button"
        className={styles.live}
        aria-label={t('backToLive')}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => actor.send({ type: 'toLive' })}
      >
        {text}
      </button>
    ) : (
      <span className={styles.live}>{text}</span>
    )
  }
  if (duration === 0) return null
  return (
    <span className={styles.time}>
      <span>{playerTime(position, duration)}</span>
      <span className={styles.duration}>{` / ${playerTime(duration, duration)}`}</span>
    </span>
  )
}
