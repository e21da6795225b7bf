import { LAYOUT } from '@ondine/contract/constants'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OfflineIcon } from '../design/icons.tsx'
import { BareLink } from '../design/link.tsx'
import { useConfiguration } from '../features/configuration/use-configuration.ts'
import { pathOf } from '../features/links/content-link.ts'
import styles from './offline-toaster.module.css'
import { useNative, useOnline } from './use-platform.ts'
import { useScreen } from './use-screen.ts'

/**
 * Says that the connection is lost, with a way to what was downloaded, and that it is back; then it hides after 6 s
 * (V2.4-15).
 */
export function OfflineToaster() {
  const { t } = useTranslation()
  const online = useOnline()
  const screen = useScreen()
  const hasDownloads = useDownloads()
  const wasOffline = useRef(false)
  const [isBack, setBack] = useState(false)
  useEffect(() => {
    if (!online) {
      wasOffline.current = true
      setBack(false)
      return undefined
    }
    if (!wasOffline.current) return undefined
    wasOffline.current = false
    setBack(true)
    const timer = setTimeout(() => setBack(false), LAYOUT.offlineToasterHideMs)
    return () => clearTimeout(timer)
  }, [online])
  const shown = !online || isBack
  return (
    // It is there before it has something to say: only then is what it says read out.
    <div role="status" className={styles.place}>
      {shown && (
        <div className={styles.toast} data-online={online || undefined}>
          <OfflineIcon />
          <p>{t(online ? 'shell.onlineAgain' : 'shell.offline')}</p>
          {!online && hasDownloads && screen !== 'library-downloads' && (
            <BareLink to={pathOf('library-downloads')} className={styles.link}>
              {t('shell.downloads')}
            </BareLink>
          )}
        </div>
      )}
    </div>
  )
}

function useDownloads(): boolean {
  const { downloads } = useConfiguration()
  return useNative() ? downloads.downloadEnabled : downloads.downloadWebEnabled
}
