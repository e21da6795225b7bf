import { useTranslation } from 'react-i18next'
import { Waves } from '../../../design/icons/waves.tsx'
import styles from './empty-home.module.css'

/** The home page before the catalogue has titles. `arriving` says whether titles are being imported. */
export default function EmptyHome({ arriving }: { arriving: boolean }) {
  const { t } = useTranslation()
  return (
    <div className={styles.empty}>
      <Waves />
      <h2 className={styles.title}>{t('home.emptyTitle')}</h2>
      <p className={styles.text}>{t(arriving ? 'home.empty' : 'home.emptyIdle')}</p>
    </div>
  )
}
