import { useTranslation } from 'react-i18next'
import { BareLink } from '../../design/buttons/link.tsx'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { useSession } from '../../features/ground/session/session.ts'
import { HomeLogo } from './logo.tsx'
import { SignIn } from './navigation-bar.tsx'
import styles from './plain-bar.module.css'

/** The bar of the landing page: the logo, and the links to sign in and register (V2.4-08). */
export function LandingBar() {
  const { t } = useTranslation()
  const { account } = useSession()
  const { accounts } = useConfiguration()
  return (
    <header className={styles.bar} data-bar="landing">
      <HomeLogo />
      {account === null && (
        <div className={styles.side}>
          {accounts.isAllowedToRegister && (
            <BareLink to={pathOf('register-informations')} className={styles.link}>
              {t('shell.register')}
            </BareLink>
          )}
          <SignIn />
        </div>
      )}
    </header>
  )
}
