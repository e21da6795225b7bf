import type { Asset } from '@ondine/contract/entities'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { DownloadIcon } from '../../../design/icons/screen-icons.tsx'
import type { DownloadChoice } from '../../../modals/modal-kinds.ts'
import { usePlace } from '../../../words/place.tsx'
import { useSession } from '../../ground/session/session.ts'
import { downloadKey } from './download.ts'
import { useDownloadLanguages } from './download-languages.ts'
import { requestDownload } from './downloads.ts'
import { useDownloads } from './use-downloads.ts'

/** Downloads all episodes of a season that are not on this device yet. Renders nothing if no episode is left. */
export function SeasonButton({ episodes, series }: { episodes: readonly Asset[]; series: string }) {
  const { t } = useTranslation()
  const { account, profile } = useSession()
  const languages = useDownloadLanguages()
  const { language } = usePlace()
  const known = new Set(useDownloads()?.map(({ key }) => key))
  const missing = episodes.filter(({ idAsset }) => !known.has(downloadKey(profile?.id ?? 0, idAsset)))
  const press = useMutation({
    mutationFn: async () => {
      if (account === null || profile === null) return
      const viewer = { accountId: account.id, profileId: profile.id }
      let choice: DownloadChoice | undefined
      for (const asset of missing) {
        const { AD_SERIESEA: season, AD_SERIESEP: episode } = asset.directMetadata
        const number =
          season === undefined || episode === undefined ? '' : t('meta.episode', { season, episode })
        const subtitle = [series, number].filter(Boolean).join(' · ')
        const wanted = { asset, subtitle, ...viewer, languages: languages(), choice, language }
        const download = await requestDownload(wanted)
        // The viewer cancelled or has seen an error. The next episode would fail for the same reason.
        if (download === null) return
        // All episodes get the quality and the languages of the first one.
        choice = { height: download.height, languages: download.languages }
      }
    },
  })
  if (missing.length === 0) return null
  return (
    <Button isPending={press.isPending} onPress={() => void press.mutateAsync()}>
      <DownloadIcon />
      {t('downloads.season', { count: missing.length })}
    </Button>
  )
}
