import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { homeQuery } from '../../content/catalogue/queries.ts'
import { useSession } from '../../ground/session/session.ts'
import { OffersLink } from '../../rights/offers/offers-link.tsx'
import { PosterHead } from '../home/poster-head.tsx'

/** An empty cart, with a link to the offers (A2.1-23). */
export function EmptyCart() {
  const { t } = useTranslation('cart')
  return <EmptyShop title={t('title')} text={t('empty')} toOffers={t('toOffers')} />
}

/** The checkout page without an offer to pay (A2.1-24). */
export function NothingToCheckOut() {
  const { t } = useTranslation('checkout')
  return <EmptyShop title={t('noPayment')} text={t('choosePlan')} toOffers={t('toOffers')} />
}

/** A text in front of the posters of home. Without the posters, the page still works. */
function EmptyShop({ title, text, toOffers }: { title: string; text: string; toOffers: string }) {
  const session = useSession()
  const { shuffle } = useRouter().options.context.environment
  const { data: rails = [] } = useQuery(homeQuery(session, shuffle))
  return (
    <PosterHead title={title} text={text} rails={rails} isWholePage>
      <OffersLink look="primary">{toOffers}</OffersLink>
    </PosterHead>
  )
}
