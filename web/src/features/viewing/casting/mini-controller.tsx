import { useTranslation } from 'react-i18next'
import { CastControls } from './cast-controls.tsx'
import { useCastSession } from './cast-session.ts'
import styles from './mini-controller.module.css'

/** Controls the screen to which this browser is connected, at the bottom of every page. */
export default function MiniController() {
  const { t } = useTranslation('cast')
  const session = useCastSession()
  if (session === null) return null
  return (
    <section className={styles.controller} aria-label={t('controller')}>
      <CastControls session={session} isLink />
    </section>
  )
}
