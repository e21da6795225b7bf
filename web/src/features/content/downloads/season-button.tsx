import type { Asset } from '@ondine/contract/entities'
import { useMutation } from '@tanstack/react-query'
import { use, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { DownloadIcon } from '../../../design/icons/screen-icons.tsx'
import { ImageHeights } from '../../../design/pictures/picture.tsx'
import { episodeNumbers } from '../../../words/episode-numbers.ts'
import { usePlace } from '../../../words/place.tsx'
import { useSession } from '../../ground/session/session.ts'
import { downloadKey } from './download.ts'
import { useDownloadLanguages } from './download-languages.ts'
import { requestSeason } from './request-season.ts'
import { useDownloads } from './use-downloads.ts'

/**
 * Downloads all episodes of a season that are not on this device yet. Shows nothing if no episode is left. A focused
 * button then passes the focus to the control beside it.
 */
export function SeasonButton({ episodes, series }: { episodes: readonly Asset[]; series: string }) {
  const { t } = useTranslation()
  const { account, profile } = useSession()
  const languages = useDownloadLanguages()
  const { language } = usePlace()
  const imageHeights = use(ImageHeights)
  const known = new Set(useDownloads()?.map(({ key }) => key))
  const missing = episodes.filter(({ idAsset }) => !known.has(downloadKey(profile?.id ?? 0, idAsset)))
  const subtitleOf = ({ directMetadata }: Asset) => {
    const numbers = episodeNumbers(directMetadata)
    return [series, numbers && t('meta.episode', numbers)].filter(Boolean).join(' · ')
  }
  const press = useMutation({
    mutationFn: async () => {
      if (account === null || profile === null) return
      const viewer = { account, profileId: profile.id }
      const common = { ...viewer, languages: languages(), language, imageHeights }
      await requestSeason(missing.map((asset) => ({ asset, subtitle: subtitleOf(asset), ...common })))
    },
    // By default, a mutation waits for a connection, and would then ask for the quality unasked.
    networkMode: 'always',
  })
  const isLeft = missing.length > 0
  const place = useRef<HTMLSpanElement>(null)
  // A button that is removed does not report that it loses the focus.
  const isFocused = useRef(false)
  useEffect(() => {
    if (isLeft || !isFocused.current) return
    isFocused.current = false
    place.current?.parentElement?.querySelector<HTMLElement>('a[href], button:not([disabled])')?.focus()
  }, [isLeft])
  return (
    <>
      {isLeft && (
        <Button
          isPending={press.isPending}
          onPress={() => void press.mutateAsync()}
          onFocusChange={(isNow) => {
            isFocused.current = isNow
          }}
        >
          <DownloadIcon />
          {t('downloads.season', { count: missing.length })}
        </Button>
      )}
      <span ref={place} hidden />
    </>
  )
}
