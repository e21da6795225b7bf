import type { Screen } from '@ondine/contract/casting'
import { useTranslation } from 'react-i18next'
import { CastControls } from './cast-controls.tsx'
import { CastProgress } from './cast-progress.tsx'
import { useCastSession } from './cast-session.ts'
import styles from './mini-controller.module.css'
import { useRunningCast, useScreenChanges } from './running-cast.ts'
import { RunningCast } from './running-cast-bar.tsx'
import { useFocusInside } from './use-focus-inside.ts'

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
  const focus = useFocusInside()
  if (session === null && running === undefined) return null
  const shown = session === null ? 'running' : 'controller'
  // One element for both contents, so that the focus can stay in it when the buttons change.
  return (
    <section {...focus} className={styles[shown]} tabIndex={-1} aria-label={t(shown)}>
      {session !== null && (
        <>
          <CastProgress media={session.state.media} />
          <CastControls session={session} isOnPage />
        </>
      )}
      {session === null && running !== undefined && <RunningCast {...running} />}
    </section>
  )
}
