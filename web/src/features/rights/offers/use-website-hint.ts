import { useTranslation } from 'react-i18next'
import { modal } from '../../../modals/modal.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { useNative } from '../../ground/platform/use-platform.ts'
import { isForbidden } from './shop.ts'
import { useWebsite } from './use-shop.ts'

/**
 * Returns a function that refers the viewer to the screen of the account's products on the website, in an app that may
 * not sell (V1-04, A4.8-12). Returns undefined where the viewer may pay.
 */
export function useWebsiteHint(): (() => void) | undefined {
  const { offers } = useConfiguration()
  const native = useNative()
  const link = useWebsite('account-products')
  const { t } = useTranslation()
  if (!isForbidden(offers, native)) return undefined
  return () => void modal.open('restrictPayment', { link, description: t('products.onWebsite') })
}
