import { useTranslation } from 'react-i18next'
import { atService } from '../../../api/at-service.ts'
import { CloseIcon, PauseIcon, PlayIcon } from '../../../design/icons/icons.tsx'
import { CastIcon } from '../../../design/icons/player-icons.tsx'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { useSession } from '../../ground/session/session.ts'
import { CastProgress } from './cast-progress.tsx'
import { joinCast } from './cast-session.ts'
import { ownScreen } from './own-screens.ts'
import type { PlayingScreen } from './running-cast.ts'
import styles from './running-cast-bar.module.css'

/**
 * Shows what a screen of the account plays, although this browser is not connected to it. One press joins the cast
 * without replacing the content.
 */
export function RunningCast({
  screen: { casDeviceId, name, state },
  hide,
}: {
  screen: PlayingScreen
  hide: () => void
}) {
  const { t } = useTranslation('cast')
  const { t: player } = useTranslation('player')
  const { profile } = useSession()
  const isPaused = state.playback === 'paused'
  const target = ownScreen(casDeviceId)
  return (
    <>
      <CastProgress media={state} />
      <button
        type="button"
        className={styles.join}
        onClick={() => profile !== null && joinCast(target, profile.id)}
      >
        {state.image !== '' && <img className={styles.image} src={atService(state.image)} alt="" />}
        <span className={styles.names}>
          <span className={styles.title}>{state.title}</span>
          <span className={styles.device}>
            <CastIcon />
            <span>{t('playsOn', { device: name })}</span>
          </span>
        </span>
        <span className={styles.control}>{t('control')}</span>
      </button>
      {state.canMove && (
        <button
          type="button"
          className={styles.round}
          aria-label={player(isPaused ? 'play' : 'pause')}
          // Errors of casting are only logged (V8-03).
          onClick={() => void target.control({ type: isPaused ? 'play' : 'pause' }).catch(reportFault)}
        >
          {isPaused ? <PlayIcon /> : <PauseIcon />}
        </button>
      )}
      <button type="button" className={styles.round} aria-label={t('hide')} onClick={hide}>
        <CloseIcon />
      </button>
    </>
  )
}
