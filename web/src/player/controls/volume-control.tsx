import { PLAYER } from '@ondine/contract/constants'
import { useSelector } from '@xstate/react'
import { useTranslation } from 'react-i18next'
import { VolumeIcon } from '../../design/icons/player-icons.tsx'
import { ControlButton } from '../buttons/control-button.tsx'
import type { PlayerActor } from '../machine/player-machine.ts'
import styles from './volume-control.module.css'

const HALF = 50

/** The mute button, and a slider for the volume in steps of 10 percent (V9-01). */
export function VolumeControl({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('player')
  const percent = useSelector(actor, (state) => state.context.volumePercent)
  const muted = useSelector(actor, (state) => state.context.muted)
  const heard = muted ? 0 : percent
  return (
    <div className={styles.volume}>
      <ControlButton
        name={t(heard === 0 ? 'unmute' : 'mute')}
        onPress={() => actor.send({ type: 'toggleMute' })}
      >
        <VolumeIcon level={heard === 0 ? 0 : heard <= HALF ? 1 : 2} />
      </ControlButton>
      <input
        className={styles.slider}
        style={{ backgroundSize: `${heard}% 100%` }}
        type="range"
        data-own-arrows
        min={0}
        max={100}
        step={PLAYER.volumeStep}
        value={heard}
        aria-label={t('volume')}
        aria-valuetext={heard === 0 ? t('volumeMuted') : t('volumeValue', { percent: heard })}
        onChange={(event) => actor.send({ type: 'setVolume', percent: event.target.valueAsNumber })}
      />
    </div>
  )
}
