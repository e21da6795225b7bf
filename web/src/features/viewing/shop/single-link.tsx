import type { Offer } from '@ondine/contract/offers'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { amountText } from '../../../words/money.ts'
import { usePlace } from '../../../words/place.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { cartPath } from '../../rights/offers/offer-paths.ts'
import { useShop } from '../../rights/offers/use-shop.ts'
import { hasSubject, soldOf, subjectQuery, whyNotSold } from './offer-subject.ts'

/**
 * A link to the cart with a rental or a pay-per-view. If the viewer has to choose a title first, a text says so, with a link
 * to the catalogue. If nobody can buy the content now, a text says why. Renders nothing if the viewer may watch the content
 * already, or cannot buy it here.
 */
export function SingleLink({ offer }: { offer: Offer }) {
  const { t } = useTranslation()
  const { language } = usePlace()
  const session = useSession()
  const { sellsSingles } = useShop()
  const { idOption, offerType, title, userValidityActive } = offer
  const isForOne = hasSubject(offer)
  const { data: subject } = useQuery({ ...subjectQuery(useQueryClient(), offer), enabled: isForOne })
  if (!sellsSingles || userValidityActive) return null
  if (!isForOne) {
    return (
      <>
        <p>{t('offers.onTitles')}</p>
        <ButtonLink look="primary" to={pathOf('assets')}>
          {t('offers.toCatalogue')}
        </ButtonLink>
      </>
    )
  }
  const sold = subject ? soldOf(subject, session, t) : undefined
  if (sold === undefined) {
    const reason = subject === undefined ? undefined : whyNotSold(subject, session, t)
    return reason === undefined ? null : <p>{reason}</p>
  }
  const price = amountText(offer.priceWithVat, language)
  const isRental = offerType === 'transactional'
  return (
    <ButtonLink
      look="primary"
      to={cartPath({ offerIds: [idOption], ...sold })}
      label={t(isRental ? 'offers.rentOf' : 'offers.buyOf', { price, title })}
    >
      {t(isRental ? 'offers.rent' : 'offers.buy', { price })}
    </ButtonLink>
  )
}
