import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button, ButtonLink } from '../../../design/buttons/button.tsx'
import { preloadModals } from '../../../modals/modal-host.tsx'
import { usePlace } from '../../../words/place.tsx'
import { alertError } from '../../ground/errors/alert-error.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { enterGift } from './enter-gift.ts'

/**
 * A button that opens the dialog for a gift code. A signed-out viewer signs in first, and then reaches the screen of
 * the account's subscriptions, which also has this button.
 */
export function GiftButton() {
  const { t } = useTranslation('gift')
  const queries = useQueryClient()
  const place = usePlace()
  if (useSession().account === null)
    return <ButtonLink to={pathOf('account-products')}>{t('enter')}</ButtonLink>
  return (
    <Button
      aria-haspopup="dialog"
      onHoverStart={preloadModals}
      onFocus={preloadModals}
      onPress={() => void enterGift(queries, place).catch(alertError)}
    >
      {t('enter')}
    </Button>
  )
}
