import type { Image } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { environment } from '../../api/environment.ts'
import { Button } from '../../design/button.tsx'
import { ShareIcon } from '../../design/icons.tsx'
import { modal } from '../../modals/modal.ts'
import { preloadModals } from '../../modals/modal-host.tsx'
import { useConfiguration } from '../configuration/use-configuration.ts'
import { shareAddress } from './share-address.ts'

/** Shares a page, where the operator lets pages be shared (V3-46). */
export function ShareButton({ title, image, path }: { title: string; image: Image | null; path: string }) {
  const { t } = useTranslation()
  const { catalogue, settings } = useConfiguration()
  if (!catalogue.shareEnabled) return null

  async function share(): Promise<void> {
    const shareUrl = shareAddress(path, { base: settings['share-url'], origin: environment().origin })
    await modal.open('share', { itemContent: { title, image }, shareUrl })
  }

  return (
    <Button
      look="icon"
      aria-label={t('share.label', { title })}
      aria-haspopup="dialog"
      onHoverStart={preloadModals}
      onFocus={preloadModals}
      onPress={() => void share()}
    >
      <ShareIcon />
    </Button>
  )
}
