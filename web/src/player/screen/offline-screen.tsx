import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { OfflineIcon } from '../../design/icons/icons.tsx'
import { useKeptFocus } from '../../design/lists/use-kept-focus.ts'
import { shownDownloads } from '../../features/content/downloads/download.ts'
import { DownloadList } from '../../features/content/downloads/download-list.tsx'
import { requestedAddress } from '../../features/content/downloads/offline-address.ts'
import { activeProfile } from '../../features/content/downloads/store.ts'
import { useDownloads } from '../../features/content/downloads/use-downloads.ts'
import styles from './offline-screen.module.css'

/**
 * The page that opens without a connection. It shows the completed downloads of the profile that was last active
 * (A2.4-02). The service worker redirects page requests here.
 */
export function OfflineScreen() {
  const { t } = useTranslation()
  const profileId = useActiveProfile()
  const downloads = useDownloads()
  const shown =
    downloads === undefined || profileId === undefined
      ? undefined
      : shownDownloads(downloads, profileId, false)
  const screen = useRef<HTMLElement>(null)
  useKeptFocus(screen)
  return (
    <main ref={screen} className={styles.screen}>
      <h1 className={styles.title}>{t('downloads.offlineTitle')}</h1>
      <p className={styles.text}>
        <OfflineIcon />
        {t(shown?.length === 0 ? 'downloads.offlineEmpty' : 'downloads.offlineText')}
      </p>
      {shown !== undefined && shown.length > 0 && (
        <DownloadList label={t('library.library-downloads')} downloads={shown} />
      )}
      <div>
        <Button onPress={() => location.assign(requestedAddress(location))}>{t('downloads.goOnline')}</Button>
      </div>
    </main>
  )
}

/** Returns the profile that was last active; undefined until it has been read. */
function useActiveProfile(): number | null | undefined {
  const [profileId, setProfileId] = useState<number | null>()
  useEffect(() => {
    // If the database cannot be opened, there are no downloads either.
    activeProfile().then(setProfileId, () => setProfileId(null))
  }, [])
  return profileId
}
