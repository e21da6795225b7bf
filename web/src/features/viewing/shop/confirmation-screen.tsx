import type { OrderState } from '@ondine/contract/orders'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { homeQuery } from '../../content/catalogue/queries.ts'
import { rentalsQuery } from '../../content/collection/library-query.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { awaitPurchase } from '../../rights/offers/await-purchase.ts'
import type { SoldContent } from '../../rights/offers/offer-paths.ts'
import { closePaymentWindow } from '../../rights/offers/payment-window.ts'
import { purchased } from '../../rights/offers/purchased.ts'
import { orderQuery } from '../../rights/orders/order-query.ts'
import { PosterHead } from '../home/poster-head.tsx'

/**
 * The screen with the result of an order (A2.1-25, A4.8-09). In the payment window, this screen closes the window,
 * and the window with the cart shows the result.
 */
export function ConfirmationScreen({
  orderId,
  content,
}: {
  orderId: number | undefined
  /** The title or channel of a single purchase; undefined for a subscription. */
  content: SoldContent | undefined
}) {
  const { t } = useTranslation('cart')
  const queries = useQueryClient()
  const session = useSession()
  const { shuffle } = useRouter().options.context.environment
  const { data: rails = [] } = useQuery(homeQuery(session, shuffle))
  const { data, error } = useQuery(orderQuery(orderId))
  const state = data?.orderStatus
  useEffect(closePaymentWindow, [])
  useEffect(() => {
    if (error !== null) void alertError(error)
  }, [error])
  useEffect(() => {
    if (state === 'executed' && orderId !== undefined) void purchased(queries, orderId)
  }, [state, orderId, queries])
  const mayWatch = useMayWatch(state === 'executed' ? content : undefined)
  const texts = textsOf(state, content !== undefined)
  return (
    <PosterHead title={t(texts.title)} text={t(texts.text)} rails={rails} isWholePage>
      {content !== undefined && mayWatch && (
        <ButtonLink
          look="primary"
          to={`${pathOf('player')}?${content.contentType === 'CHANNEL' ? 'channel' : 'asset'}=${content.contentId}`}
        >
          {t('watch')}
        </ButtonLink>
      )}
      {state !== 'executed' && (
        <ButtonLink look={state === undefined ? 'secondary' : 'primary'} to={pathOf('offers')}>
          {t('toOffers')}
        </ButtonLink>
      )}
      <ButtonLink
        look={
          state === undefined || (state === 'executed' && content === undefined) ? 'primary' : 'secondary'
        }
        to={pathOf('home')}
      >
        {t('home')}
      </ButtonLink>
    </PosterHead>
  )
}

/**
 * Returns whether to offer playback of the purchase. For a title, first polls the library until it contains the
 * title, or until the maximum number of polls (A4.8-08).
 */
function useMayWatch(content: SoldContent | undefined): boolean {
  const queries = useQueryClient()
  const [arrived, setArrived] = useState<number>()
  const titleId = content?.contentType === 'VOD_ASSET' ? content.contentId : undefined
  useEffect(() => {
    if (titleId === undefined) return undefined
    return awaitPurchase({
      look: async () =>
        (await queries.fetchQuery({ ...rentalsQuery, staleTime: 0 })).some(
          ({ idAsset }) => idAsset === titleId,
        ),
      onEnd: () => setArrived(titleId),
    })
  }, [titleId, queries])
  return content !== undefined && (titleId === undefined || arrived === titleId)
}

function textsOf(state: OrderState | undefined, isTitle: boolean) {
  switch (state) {
    case 'executed':
      return isTitle
        ? ({ title: 'rented', text: 'rentedText' } as const)
        : ({ title: 'confirmed', text: 'confirmedText' } as const)
    case 'failed':
      return { title: 'failedTitle', text: 'failed' } as const
    case 'expired':
      return { title: 'expiredTitle', text: 'expired' } as const
    case 'submitted':
    case 'to_execute':
      return { title: 'paymentTitle', text: 'paymentSaved' } as const
    default:
      return { title: 'noOrder', text: 'noOrderText' } as const
  }
}
