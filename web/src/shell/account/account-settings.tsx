import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TargetLink } from '../../features/links/target-link.tsx'
import { accountEntries } from './account-entries.ts'
import styles from './account-settings.module.css'
import { useAccountConditions } from './use-account-conditions.ts'

/** The screens of the account with the menu that they share (A2.1-32). */
export function AccountSettings({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const entries = accountEntries(useAccountConditions())
  return (
    <div className={styles.settings}>
      <nav className={styles.menu} aria-label={t('accountMenu.title')}>
        <ul>
          {entries.map(({ name, target }) => (
            <li key={name}>
              <TargetLink target={target} className={styles.entry}>
                {t(`accountMenu.${name}`)}
              </TargetLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className={styles.screen}>{children}</div>
    </div>
  )
}
