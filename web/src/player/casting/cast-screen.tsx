import { useTranslation } from 'react-i18next'
import { CastControls } from '../../features/viewing/casting/cast-controls.tsx'
import type { CastSession } from '../../features/viewing/casting/cast-session.ts'
import styles from './cast-screen.module.css'

/** Shows the content of another screen, in place of the video. */
export default function CastScreen({ session }: { session: CastSession }) {
  const { t } = useTranslation('cast')
  return (
    <section className={styles.screen} aria-label={t('controller')}>
      <CastControls session={session} />
    </section>
  )
}
