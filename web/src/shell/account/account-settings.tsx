import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../features/links/content-link.ts'
import { TargetLink } from '../../features/links/target-link.tsx'
import { mayLeadTo } from '../closed-screens.ts'
import { useMenuReader } from '../use-menu-reader.ts'
import { useScreen } from '../use-screen.ts'
import { accountEntries, isForChildren } from './account-entries.ts'
import styles from './account-settings.module.css'
import { GrownUpsOnly } from './grown-ups-only.tsx'
import { useAccountConditions } from './use-account-conditions.ts'

/** The screens of the account with the menu that they share (A2.1-32). */
export function AccountSettings({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const reader = useMenuReader()
  const conditions = useAccountConditions()
  const entries = accountEntries(conditions).filter(({ target }) => mayLeadTo(target, reader))
  const menu = useRef<HTMLElement>(null)
  const screen = useScreen()
  useEffect(() => {
    // In narrow windows the menu is a row wider than the window: what is shown should be seen in it.
    const active = menu.current?.querySelector('[aria-current]')
    if (screen !== undefined) active?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [screen])
  return (
    <div className={styles.settings}>
      <nav ref={menu} className={styles.menu} aria-label={t('accountMenu.title')}>
        <ul>
          {entries.map(({ name, target }) => (
            <li key={name}>
              <TargetLink target={target} className={styles.entry}>
                {t(`accountMenu.${name}`)}
              </TargetLink>
            </li>
          ))}
          {/* The menu has no entry for it (A2.1-32): while it is shown it has its place all the same. */}
          {screen === 'account-lives' && (
            <li>
              <TargetLink
                target={{ kind: 'internal', path: pathOf('account-lives') }}
                className={styles.entry}
              >
                {t('favourites.livesTitle')}
              </TargetLink>
            </li>
          )}
        </ul>
      </nav>
      <div className={styles.screen}>
        {conditions.isChild && screen !== undefined && !isForChildren(screen) ? <GrownUpsOnly /> : children}
      </div>
    </div>
  )
}
