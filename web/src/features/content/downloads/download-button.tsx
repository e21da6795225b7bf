import type { DownloadState } from '@ondine/contract/downloads'
import type { Asset } from '@ondine/contract/entities'
import { useMutation } from '@tanstack/react-query'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink, RowWords } from '../../../design/buttons/button.tsx'
import { CheckIcon } from '../../../design/icons/icons.tsx'
import { DownloadIcon } from '../../../design/icons/screen-icons.tsx'
import { ImageHeights } from '../../../design/pictures/picture.tsx'
import { usePlace } from '../../../words/place.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { isRunning, stateOf } from './download.ts'
import { useDownloadLanguages } from './download-languages.ts'
import { removeDownload, requestDownload, resumeDownload, stopDownload } from './downloads.ts'
import { useDownload } from './use-downloads.ts'

/**
 * Downloads a title to this device, shows the progress, and stops and resumes the download. Repeats a removal that
 * has not succeeded yet. For a downloaded title, links to the downloads.
 */
export function DownloadButton({ asset, subtitle }: { asset: Asset; subtitle: string }) {
  const { t } = useTranslation()
  const { account, profile } = useSession()
  const languages = useDownloadLanguages()
  const { language } = usePlace()
  const imageHeights = use(ImageHeights)
  const download = useDownload(profile?.id, asset.idAsset)
  const { title } = asset
  const press = useMutation({
    mutationFn: async () => {
      if (account === null || profile === null) return
      if (download === undefined) {
        const viewer = { account, profileId: profile.id }
        await requestDownload({ asset, subtitle, ...viewer, languages: languages(), language, imageHeights })
      } else if (isRunning(download.state)) await stopDownload(download.key)
      else if (download.state === 'REMOVING') await removeDownload(download.key)
      else await resumeDownload(download)
    },
    // By default, a mutation waits for a connection. A request without a connection shows an error.
    networkMode: 'always',
  })
  const state = download && stateOf(download)
  if (state === 'COMPLETED') {
    return (
      <ButtonLink to={pathOf('library-downloads')}>
        <CheckIcon />
        {t('downloads.button-COMPLETED')}
      </ButtonLink>
    )
  }
  const percent = download?.downloadProgress.percentDownloaded
  return (
    <Button
      aria-label={t(`downloads.${actionOf(state)}Of`, { title })}
      isPending={press.isPending}
      onPress={() => void press.mutateAsync()}
    >
      <DownloadIcon />
      {state === undefined ? (
        <RowWords>{t('downloads.download')}</RowWords>
      ) : (
        // In narrow rows, other buttons have no text, but the state of a download is shown even there.
        <span>{t(`downloads.button-${state}`, { percent })}</span>
      )}
    </Button>
  )
}

/** Returns the action of the button for a state; `undefined` is the state of a title that is not on this device. */
function actionOf(state: DownloadState | undefined): 'download' | 'remove' | 'stop' | 'resume' {
  if (state === undefined) return 'download'
  if (state === 'REMOVING') return 'remove'
  return isRunning(state) ? 'stop' : 'resume'
}
