import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { modal } from '../../../modals/modal.ts'
import { preloadModals } from '../../../modals/modal-host.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import type { Shop } from './shop.ts'
import { useWebsite } from './use-shop.ts'

/**
 * Shown if this page does not sell a locked title: a link to the offers, or in an app that may not sell, a hint at
 * the website (V1-04, A4.8-11, A4.8-12).
 */
export function SubscribeButton({ shop }: { shop: Shop }) {
  const { t } = useTranslation('offers')
  const link = useWebsite()
  if (shop.kind === 'elsewhere') {
    return (
      <ButtonLink look="primary" to={pathOf('offers')}>
        {t('subscribe')}
      </ButtonLink>
    )
  }
  if (shop.kind !== 'website') return null
  return (
    <Button
      look="primary"
      aria-haspopup="dialog"
      onHoverStart={preloadModals}
      onFocus={preloadModals}
      onPress={() => void modal.open('restrictPayment', { link })}
    >
      {t('subscribe')}
    </Button>
  )
}
