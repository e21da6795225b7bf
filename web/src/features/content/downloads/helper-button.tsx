import type { Asset } from '@ondine/contract/entities'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button, RowWords } from '../../../design/buttons/button.tsx'
import { DownloadIcon } from '../../../design/icons/screen-icons.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { downloadThroughHelper } from './download-through-helper.ts'

/** Downloads a title through the local player on the viewer's computer (A4.9-04). */
export function HelperButton({ asset: { idAsset, title } }: { asset: Pick<Asset, 'idAsset' | 'title'> }) {
  const { t } = useTranslation()
  const { downloads } = useConfiguration()
  const press = useMutation({
    mutationFn: async () => await downloadThroughHelper({ idAsset, title }, downloads),
    onError: alertError,
  })
  return (
    <Button
      aria-label={t('downloads.downloadOf', { title })}
      isPending={press.isPending}
      onPress={() => press.mutate()}
    >
      <DownloadIcon />
      <RowWords>{t('downloads.download')}</RowWords>
    </Button>
  )
}
