import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { mayLeadTo } from '../closed-screens.ts'
import { type MenuEntry, SideMenu } from '../side-menu.tsx'
import { useMenuReader } from '../use-menu-reader.ts'
import { useScreen } from '../use-screen.ts'
import { accountEntries, isForChildren } from './account-entries.ts'
import { GrownUpsOnly } from './grown-ups-only.tsx'
import { useAccountConditions } from './use-account-conditions.ts'

/** The account screens with their shared menu (A2.1-32). */
export function AccountSettings({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const reader = useMenuReader()
  const conditions = useAccountConditions()
  const screen = useScreen()
  const entries: MenuEntry[] = accountEntries(conditions)
    .filter(({ target }) => mayLeadTo(target, reader))
    .map(({ name, target }) => ({ name, text: t(`accountMenu.${name}`), target }))
  // The menu has no entry for this screen (A2.1-32), but shows one while the screen is open.
  if (screen === 'account-lives') {
    entries.push({
      name: 'lives',
      text: t('favourites.livesTitle'),
      target: { kind: 'internal', path: pathOf('account-lives') },
    })
  }
  return (
    <SideMenu title={t('accountMenu.title')} entries={entries}>
      {conditions.isChild && screen !== undefined && !isForChildren(screen) ? <GrownUpsOnly /> : children}
    </SideMenu>
  )
}
