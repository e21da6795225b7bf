import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { CastControls } from '../../features/viewing/casting/cast-controls.tsx'
import type { CastSession } from '../../features/viewing/casting/cast-session.ts'
import styles from './cast-screen.module.css'

/** Shows the content of another screen and its controls, in place of the video. */
export default function CastScreen({ session }: { session: CastSession }) {
  const { t } = useTranslation('cast')
  const screen = useRef<HTMLElement>(null)
  useEffect(() => {
    // The button that had the focus has been removed, so the browser has moved the focus to the body.
    if (document.activeElement === document.body) screen.current?.focus()
  }, [])
  return (
    <section ref={screen} className={styles.screen} tabIndex={-1} aria-label={t('controller')}>
      <CastControls session={session} />
    </section>
  )
}
