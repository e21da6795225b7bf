import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { ButtonGroup } from '../../../design/buttons/button-group.tsx'
import { Progress } from '../../../design/cards/progress.tsx'
import { PlayIcon } from '../../../design/icons/icons.tsx'
import { dateText } from '../../../words/dates.ts'
import { lengthText } from '../../../words/format.ts'
import { usePlace } from '../../../words/place.tsx'
import { sizeText } from '../../../words/size.ts'
import { deviceNow } from '../../ground/clock/device-clock.ts'
import { reportFault } from '../../ground/errors/report-fault.ts'
import { isBegun, remainingSeconds } from '../catalogue/playing.ts'
import { downloadFiles } from './chosen-files.ts'
import { type Download, isResumable, isRunning, licenceEnd, licenceStateOf, stateOf } from './download.ts'
import styles from './download-list.module.css'
import { removeDownload, renewDownload, resumeDownload, stopDownload } from './downloads.ts'
import { watchedOf } from './kept-position.ts'
import { OFFLINE_PAGE, offlinePicture } from './offline-address.ts'
import { rememberTime } from './remember-time.ts'
import { useOnline } from './use-online.ts'

/**
 * Downloads with their states and actions. Works without a connection. The screen keeps the focus (`useKeptFocus`)
 * when an action removes its button or row.
 */
export function DownloadList({ label, downloads }: { label: string; downloads: readonly Download[] }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {downloads.map((download) => (
        <li key={download.key} data-row={download.key}>
          <DownloadRow download={download} />
        </li>
      ))}
    </ul>
  )
}

function DownloadRow({ download }: { download: Download }) {
  const { t } = useTranslation()
  const { key, title, subtitle, assetId, durationSeconds, bytes, downloadProgress } = download
  const { language } = usePlace()
  const said = useStateText(download)
  const state = stateOf(download)
  const isOnline = useOnline()
  const removing = useMutation({
    mutationFn: async () => await removeDownload(key),
    // By default, a mutation waits for a connection.
    networkMode: 'always',
  })
  const renewing = useMutation({ mutationFn: async () => await renewDownload(download) })
  const licence = licenceStateOf(download.times, deviceNow() / 1000)
  const isUsable = licence === 'valid'
  useEffect(() => {
    if (licence !== 'clock') rememberTime(key).catch(reportFault)
  }, [key, licence])
  const percent = downloadProgress.percentDownloaded
  const watched = watchedOf(download)
  const begun = state === 'COMPLETED' && isBegun(watched)
  const length = begun
    ? t('meta.remaining', { duration: lengthText(remainingSeconds(watched), t) })
    : lengthText(durationSeconds, t)
  return (
    <div className={styles.row} data-state={state}>
      <div className={styles.picture}>
        <DownloadPicture downloadKey={key} />
        {state !== 'COMPLETED' && (
          <span className={styles.progress}>
            <Progress value={percent / 100} label={t('downloads.state-DOWNLOADING', { percent })} />
          </span>
        )}
        {begun && (
          <span className={styles.progress}>
            <Progress value={watched.alreadyWatchedInPercent / 100} />
          </span>
        )}
      </div>
      <div className={styles.words}>
        <h2 className={styles.title} dir="auto">
          {title}
        </h2>
        <p className={styles.note}>
          {[subtitle, length, sizeText(bytes, language)].filter(Boolean).join(' · ')}
        </p>
        <p className={styles.note}>{said}</p>
      </div>
      <ButtonGroup>
        {state === 'COMPLETED' && !isUsable && isOnline && (
          <Button
            aria-label={t('downloads.renewOf', { title })}
            isPending={renewing.isPending}
            onPress={() => void renewing.mutateAsync()}
          >
            {t('downloads.renew')}
          </Button>
        )}
        {state === 'COMPLETED' && isUsable && (
          <ButtonLink to={`${OFFLINE_PAGE}&asset=${assetId}`} label={t('downloads.playOf', { title })}>
            <PlayIcon />
            {t('downloads.play')}
          </ButtonLink>
        )}
        {(isRunning(state) || isResumable(state)) && (
          // One button, so that a press does not remove the focused element.
          <Button
            aria-label={t(isRunning(state) ? 'downloads.stopOf' : 'downloads.resumeOf', { title })}
            onPress={() => void (isRunning(state) ? stopDownload(key) : resumeDownload(download))}
          >
            {t(isRunning(state) ? 'downloads.stop' : 'downloads.resume')}
          </Button>
        )}
        <Button
          aria-label={t('downloads.removeOf', { title })}
          // Enabled in the state `REMOVING`, so that the viewer can repeat a removal that has failed.
          isPending={removing.isPending}
          onPress={() => void removing.mutateAsync()}
        >
          {t('downloads.remove')}
        </Button>
      </ButtonGroup>
    </div>
  )
}

function DownloadPicture({ downloadKey }: { downloadKey: string }) {
  const address = offlinePicture(downloadKey)
  const { data } = useQuery({
    queryKey: ['download-picture', address],
    queryFn: async () => (await downloadFiles().pictureAt(address)) ?? null,
    networkMode: 'always',
  })
  return data != null && <img src={data} alt="" loading="lazy" />
}

/**
 * A licence that ends after this time counts as unlimited, and its end is not shown. In seconds since the Unix
 * epoch.
 */
const FOREVER = 4_000_000_000

/** Returns the state of a download as text. */
function useStateText(download: Download): string {
  const { t } = useTranslation()
  const place = usePlace()
  const state = stateOf(download)
  const percent = download.downloadProgress.percentDownloaded
  const { failure, title } = download
  if (state === 'FAILED' && failure !== null) return t(`downloads.failed-${failure}`, { title })
  if (state !== 'COMPLETED') return t(`downloads.state-${state}`, { percent })
  const licence = licenceStateOf(download.times, deviceNow() / 1000)
  if (licence !== 'valid') return t(`downloads.state-${licence}`)
  const end = licenceEnd(download.times)
  return end > FOREVER
    ? t('downloads.state-COMPLETED-forever')
    : t('downloads.state-COMPLETED', { date: dateText(end, place) })
}
