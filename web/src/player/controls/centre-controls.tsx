import { PLAYER } from '@ondine/contract/constants'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { PauseIcon, PlayIcon } from '../../design/icons/icons.tsx'
import { BackIcon, ForwardIcon } from '../../design/icons/player-icons.tsx'
import { ControlButton } from '../buttons/control-button.tsx'
import { canMove } from '../machine/player-context.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './centre-controls.module.css'

/**
 * The controls in the middle of the picture: a ring while the player is loading or buffering, a large play button
 * where the browser blocks autoplay, the seconds of the last skip back or forward, and the three main buttons on
 * small screens.
 */
export function CentreControls({ actor, playback }: { actor: PlayerActor; playback: string }) {
  const { t } = useTranslation('player')
  const movable = useSelector(actor, (state) => canMove(state.context))
  const { seconds, count } = useSelector(actor, (state) => state.context.lastMove)
  const waiting = playback === 'notReady' || playback === 'ready' || playback === 'buffering'
  const paused = playback === 'paused' || playback === 'ended'
  return (
    <>
      {waiting && (
        <div className={styles.ring} aria-hidden="true">
          <svg viewBox="0 0 64 64">
            <circle cx="32" cy="32" r="27" />
            <circle cx="32" cy="32" r="27" pathLength="100" />
          </svg>
        </div>
      )}
      {(movable || paused) && (
        <div className={styles.group} data-waiting={waiting || undefined} data-paused={paused || undefined}>
          <ControlButton
            className={styles.side}
            disabled={!movable}
            name={t('back', { seconds: PLAYER.skipSeconds })}
            onPress={() => actor.send({ type: 'seekBy', seconds: -PLAYER.skipSeconds })}
          >
            <BackIcon />
          </ControlButton>
          <ControlButton
            className={styles.main}
            name={t(paused ? 'play' : 'pause')}
            onPress={() => actor.send({ type: 'togglePlay' })}
          >
            {paused ? <PlayIcon /> : <PauseIcon />}
          </ControlButton>
          <ControlButton
            className={styles.side}
            disabled={!movable}
            name={t('forward', { seconds: PLAYER.skipSeconds })}
            onPress={() => actor.send({ type: 'seekBy', seconds: PLAYER.skipSeconds })}
          >
            <ForwardIcon />
          </ControlButton>
        </div>
      )}
      {count > 0 && (
        <div
          key={count}
          className={styles.move}
          data-direction={seconds < 0 ? 'back' : 'forward'}
          aria-hidden="true"
        >
          {seconds < 0 ? <BackIcon /> : <ForwardIcon />}
          <span>{`${seconds < 0 ? '−' : '+'}${Math.abs(seconds)} s`}</span>
        </div>
      )}
    </>
  )
}
