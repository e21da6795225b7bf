import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { usePlace } from '../../../words/place.tsx'
import { sizeText } from '../../../words/size.ts'
import { downloadFiles } from './chosen-files.ts'
import type { Download } from './download.ts'
import styles from './downloads-screen.module.css'

/** Shows the space that the downloads occupy, and the free space if the device reports it. */
export function SpaceNote({ downloads }: { downloads: readonly Download[] }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const used = downloads.reduce(
    (sum, { bytes, downloadProgress }) => sum + (bytes * downloadProgress.percentDownloaded) / 100,
    0,
  )
  const { data: left } = useQuery({
    queryKey: ['bytes-left', used],
    queryFn: async () => (await downloadFiles().bytesLeft()) ?? null,
    placeholderData: keepPreviousData,
    networkMode: 'always',
  })
  const values = { used: sizeText(used, language), left: sizeText(left ?? 0, language) }
  return <p className={styles.space}>{t(left == null ? 'downloads.used' : 'downloads.space', values)}</p>
}
