import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import type { Credentials } from '../../people/sign-in/sign-in.ts'
import styles from './sign-in-screen.module.css'

/** Password of the demonstration's accounts, which exist only with the demonstration library. */
const PASSWORD = 'Ondine-2026!'
const ACCOUNTS = [
  { username: 'subscriber@ondine.test', is: 'demonstrationSubscriber' },
  { username: 'renter@ondine.test', is: 'demonstrationRenter' },
  { username: 'suspended@ondine.test', is: 'demonstrationSuspended' },
] as const

/** Buttons that fill in the sign-in form with the data of a demonstration account. */
export function DemonstrationAccounts({ onChoose }: { onChoose: (chosen: Credentials) => void }) {
  const { t } = useTranslation()
  return (
    <section className={styles.demonstration} aria-labelledby="demonstration">
      <h2 id="demonstration" className={styles.heading}>
        {t('signIn.demonstration')}
      </h2>
      <p>{t('signIn.demonstrationLead')}</p>
      <p className={styles.password}>{t('signIn.demonstrationPassword', { password: PASSWORD })}</p>
      <ul className={styles.accounts}>
        {ACCOUNTS.map(({ username, is }) => (
          <li key={username}>
            <Button className={styles.account} onPress={() => onChoose({ username, password: PASSWORD })}>
              <span className={styles.email}>{username}</span>
              <span className={styles.is}>{t(`signIn.${is}`)}</span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
