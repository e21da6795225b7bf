import { useTranslation } from 'react-i18next'
import { BareLink } from '../design/buttons/link.tsx'
import { CheckIcon, OfflineIcon } from '../design/icons/icons.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import { useConnectionNotice } from './connection-notice.ts'
import { mayLeadTo } from './menu-policy.ts'
import styles from './offline-toaster.module.css'
import { useMenuReader } from './use-menu-reader.ts'
import { useScreen } from './use-screen.ts'

/**
 * Shows that the connection is lost, with a link to the downloads. When the connection returns, shows another
 * message for 6 s (V2.4-15).
 */
export function OfflineToaster() {
  const { t } = useTranslation()
  const notice = useConnectionNotice()
  const screen = useScreen()
  const hasDownloads = useDownloads()
  return (
    // The element exists before its first message, because screen readers announce only changes of existing
    // elements.
    <output className={styles.place}>
      {notice !== 'none' && (
        <span className={styles.strip} data-online={notice === 'back' || undefined}>
          {notice === 'back' ? <CheckIcon /> : <OfflineIcon />}
          <span>{t(notice === 'back' ? 'shell.onlineAgain' : 'shell.offline')}</span>
          {notice === 'offline' && hasDownloads && screen !== 'library-downloads' && (
            <BareLink to={pathOf('library-downloads')} className={styles.link}>
              {t('shell.downloads')}
            </BareLink>
          )}
        </span>
      )}
    </output>
  )
}

function useDownloads(): boolean {
  return mayLeadTo({ kind: 'internal', path: pathOf('library-downloads') }, useMenuReader())
}
