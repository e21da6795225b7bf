import { useTranslation } from 'react-i18next'
import { Waves } from '../design/icons/waves.tsx'
import { FullLogo } from './bar/logo.tsx'
import styles from './receiver-layout.module.css'

/** The layout of the casting receiver: a television that waits for content, without controls (V2.4-01). */
export function ReceiverLayout() {
  const { t } = useTranslation()
  return (
    <main className={styles.receiver} data-layout="receiver">
      <Waves />
      <div className={styles.logo}>
        <FullLogo />
      </div>
      <h1 className={styles.title}>{t('receiver.ready')}</h1>
      <p className={styles.text}>{t('receiver.text')}</p>
    </main>
  )
}
