import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { useShop } from './use-shop.ts'

/**
 * A link to the offers. If the viewer cannot buy anything on the screen of offers (A2.2-02), a link to the catalogue.
 */
export function OffersLink({ look, children }: { look?: 'primary' | 'secondary'; children: ReactNode }) {
  const { t } = useTranslation('offers')
  const isClosed = useShop().shop.kind === 'closed'
  return (
    <ButtonLink {...(look && { look })} to={pathOf(isClosed ? 'assets' : 'offers')}>
      {isClosed ? t('toCatalogue') : children}
    </ButtonLink>
  )
}
