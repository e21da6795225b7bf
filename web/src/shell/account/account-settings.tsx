import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { mayLeadTo } from '../menu-policy.ts'
import { SideMenu } from '../side-menu.tsx'
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
  const entries = accountEntries(conditions)
    .filter(({ target }) => mayLeadTo(target, reader))
    .map(({ name, target }) => ({ name: name as string, text: t(`accountMenu.${name}`), target }))
  // The configured menu has no entry for the events (A2.1-32). The page of the events adds an entry, so that the
  // menu can highlight the current page.
  if (screen === 'account-lives' && !conditions.isChild)
    entries.push({
      name: screen,
      text: t('favourites.livesTitle'),
      target: { kind: 'internal', path: pathOf(screen) },
    })
  return (
    <SideMenu title={t('accountMenu.title')} entries={entries}>
      {conditions.isChild && screen !== undefined && !isForChildren(screen) ? <GrownUpsOnly /> : children}
    </SideMenu>
  )
}
