import { useTranslation } from 'react-i18next'
import { BareLink } from '../design/buttons/link.tsx'
import { Waves } from '../design/icons/waves.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import { useSession } from '../features/ground/session/session.ts'
import { FullLogo } from './bar/logo.tsx'
import styles from './receiver-layout.module.css'

/**
 * The layout of the casting receiver: a television that waits for content, without controls (V2.4-01). Redirects to
 * the pairing screen if nobody is signed in.
 */
export function ReceiverLayout() {
  const { t } = useTranslation()
  const { account } = useSession()
  return (
    <main className={styles.receiver} data-layout="receiver">
      <Waves />
      <div className={styles.logo}>
        <FullLogo />
      </div>
      <h1 className={styles.title}>{t('receiver.ready')}</h1>
      <p className={styles.text}>{t('receiver.text')}</p>
      {account === null && (
        <BareLink to={`${pathOf('pair')}?next=receiver`} className={styles.pair}>
          {t('receiver.pair')}
        </BareLink>
      )}
    </main>
  )
}
