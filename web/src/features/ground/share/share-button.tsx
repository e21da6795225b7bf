import type { Image } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { Button, RowWords } from '../../../design/buttons/button.tsx'
import { ShareIcon } from '../../../design/icons/screen-icons.tsx'
import { preloadModals } from '../../../modals/modal-host.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { sharePage } from './share.ts'

/** A button that shares a page. Shown only if the operator enables sharing (V3-46). */
export function ShareButton({ title, image, path }: { title: string; image: Image | null; path: string }) {
  const { t } = useTranslation()
  const configuration = useConfiguration()
  if (!configuration.catalogue.shareEnabled) return null

  return (
    <Button
      look="icon"
      aria-label={t('share.label', { title })}
      aria-haspopup="dialog"
      onHoverStart={preloadModals}
      onFocus={preloadModals}
      onPress={() => void sharePage(configuration, { title, image }, path)}
    >
      <ShareIcon />
      <RowWords>{t('share.share')}</RowWords>
    </Button>
  )
}
