import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LeaveIcon, PersonIcon, RowsIcon, SettingsIcon } from '../../design/icons/icons.tsx'
import { alertError } from '../../features/ground/errors/alert-error.ts'
import { TargetLink } from '../../features/ground/links/target-link.tsx'
import { useNative } from '../../features/ground/platform/use-platform.ts'
import { useSession } from '../../features/ground/session/session.ts'
import { usePlace } from '../../words/place.tsx'
import { type ProfileEntry, profileEntries } from '../account/profile-entries.ts'
import { useAccountConditions } from '../account/use-account-conditions.ts'
import { mayLeadTo } from '../menu-policy.ts'
import { useMenuReader } from '../use-menu-reader.ts'
import styles from './profile-items.module.css'

/** Icons of the built-in entries. */
const ICONS: Partial<Record<string, ReactNode>> = {
  'switch-profile': <PersonIcon />,
  'update-profile': <PersonIcon />,
  settings: <SettingsIcon />,
  library: <RowsIcon />,
  logout: <LeaveIcon />,
}

/** The entries of the profile menu. The navigation bar and the burger menu have the same entries (V2.4-16). */
export function ProfileItems({ onChosen }: { onChosen?: () => void }) {
  const reader = useMenuReader()
  const session = useSession()
  const entries = profileEntries(useAccountConditions(), session.account?.isMultiProfile, useNative()).filter(
    (entry) => !('target' in entry) || mayLeadTo(entry.target, reader),
  )
  const title = useTitles()
  const queries = useQueryClient()
  const router = useRouter()

  async function act(entry: string): Promise<void> {
    // This code loads when an entry is chosen, not with the page.
    const { changeViewer } = await import('./change-viewer.ts')
    await changeViewer(entry, queries, session, router)
  }

  return (
    <ul>
      {entries.map((entry) => (
        <li key={entry.name}>
          {'target' in entry ? (
            <TargetLink target={entry.target} className={styles.item}>
              {ICONS[entry.name]}
              {title(entry)}
            </TargetLink>
          ) : (
            <button
              type="button"
              className={styles.item}
              onClick={() => {
                onChosen?.()
                act(entry.name).catch(alertError)
              }}
            >
              {ICONS[entry.name]}
              {title(entry)}
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns a function that returns the name of an entry: the operator's title in the page's language, else in any
 * language, else the service's text, else the key of the entry.
 */
function useTitles(): (entry: ProfileEntry) => string {
  const { t, i18n } = useTranslation()
  const { language } = usePlace()
  return (entry) => {
    if ('title' in entry) {
      const own = entry.title[language] ?? Object.values(entry.title)[0]
      if (own !== undefined && own !== '') return own
    }
    const key = `profileMenu.${entry.name}`
    return i18n.exists(key) ? t(key as 'profileMenu.settings') : entry.name
  }
}
