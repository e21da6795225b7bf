import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { DownloadIcon } from '../../../design/icons/screen-icons.tsx'
import { useKeptFocus } from '../../../design/lists/use-kept-focus.ts'
import { EmptyNote } from '../../../design/page/empty-note.tsx'
import { ScreenTitle } from '../../../design/page/screen-title.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { shownDownloads } from './download.ts'
import { DownloadList } from './download-list.tsx'
import styles from './downloads-screen.module.css'
import { SpaceNote } from './space-note.tsx'
import { useDownloads } from './use-downloads.ts'
import { useOnline } from './use-online.ts'

/** The downloads of the active profile on this device (A2.1-29, A2.4-02). */
export function DownloadsScreen() {
  const { t } = useTranslation()
  const { profile } = useSession()
  const downloads = useDownloads()
  const isOnline = useOnline()
  const title = t('library.library-downloads')
  const shown = downloads && shownDownloads(downloads, profile?.id ?? null, isOnline)
  const screen = useRef<HTMLDivElement>(null)
  useKeptFocus(screen)
  return (
    <div ref={screen}>
      <ScreenTitle>{title}</ScreenTitle>
      {shown === undefined ? (
        <div className={styles.waiting} aria-busy="true" />
      ) : shown.length === 0 ? (
        <div className={styles.empty}>
          <EmptyNote icon={<DownloadIcon />} text={t('downloads.empty')}>
            <ButtonLink to={pathOf('category')}>{t('library.goCatalogue')}</ButtonLink>
          </EmptyNote>
        </div>
      ) : (
        <>
          <SpaceNote downloads={shown} />
          <DownloadList label={title} downloads={shown} />
        </>
      )}
    </div>
  )
}
