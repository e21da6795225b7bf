import type { Screen } from '@ondine/contract/casting'
import { useTranslation } from 'react-i18next'
import { CastControls } from './cast-controls.tsx'
import { CastProgress } from './cast-progress.tsx'
import { useCastSession } from './cast-session.ts'
import styles from './mini-controller.module.css'
import { useRunningCast, useScreenChanges } from './running-cast.ts'
import { RunningCast } from './running-cast-bar.tsx'

/**
 * Controls the screen to which this browser is connected, at the bottom of every page. Without a connection, offers to
 * control a screen of the account that plays.
 *
 * @param screens the other screens of the account
 */
export default function MiniController({ screens }: { screens: readonly Screen[] }) {
  const { t } = useTranslation('cast')
  const session = useCastSession()
  useScreenChanges(screens, session !== null)
  const running = useRunningCast(screens)
  if (session !== null) {
    return (
      <section className={styles.controller} aria-label={t('controller')}>
        <CastProgress media={session.state.media} />
        <CastControls session={session} isOnPage />
      </section>
    )
  }
  return running === undefined ? null : <RunningCast {...running} />
}
