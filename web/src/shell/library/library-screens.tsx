import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { isChild, useSession } from '../../features/ground/session/session.ts'
import { GrownUpsOnly } from '../account/grown-ups-only.tsx'
import { mayLeadTo } from '../menu-policy.ts'
import { SideMenu } from '../side-menu.tsx'
import { useMenuReader } from '../use-menu-reader.ts'

/**
 * The screens of the library, in menu order (A2.4-01). The menu leaves out screens that the viewer may not see.
 */
const SCREENS = [
  'library-rentals',
  'library-past',
  'library-downloads',
  'library-completed-records',
  'library-scheduled-records',
] as const

/**
 * The screens of the library with their shared menu. A child's profile has only the screens of recordings and
 * downloads, because a child cannot buy (spec 46).
 */
export function LibraryScreens({
  isForChildren = false,
  children,
}: {
  isForChildren?: boolean
  children: ReactNode
}) {
  const { t } = useTranslation()
  const reader = useMenuReader()
  const session = useSession()
  const entries = SCREENS.map((name) => ({
    name,
    text: t(`library.${name}`),
    target: { kind: 'internal' as const, path: pathOf(name) },
  })).filter(({ target }) => mayLeadTo(target, reader))
  return (
    <SideMenu title={t('library.title')} entries={entries}>
      {isChild(session) && !isForChildren ? <GrownUpsOnly /> : children}
    </SideMenu>
  )
}
