import type { OfferType } from '@ondine/contract/offers'
import type { OrderState, UserOffer } from '@ondine/contract/orders'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { useNow } from '../../../design/time/clock.ts'
import { usePlace } from '../../../words/place.tsx'
import { homeQuery } from '../../content/catalogue/queries.ts'
import { rentalsQuery } from '../../content/collection/library-query.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { useSession } from '../../ground/session/session.ts'
import { awaitPurchase } from '../../rights/offers/await-purchase.ts'
import { cartPath, type SoldContent } from '../../rights/offers/offer-paths.ts'
import { viewingTimeText } from '../../rights/offers/offer-texts.ts'
import { OffersLink } from '../../rights/offers/offers-link.tsx'
import { closePaymentWindow } from '../../rights/offers/payment-window.ts'
import { purchased } from '../../rights/offers/purchased.ts'
import { orderQuery } from '../../rights/orders/order-query.ts'
import { optionsQuery } from '../../rights/subscriptions/queries.ts'
import { PosterHead } from '../home/poster-head.tsx'

/**
 * The screen with the result of an order (A2.1-25, A4.8-09). In the payment window, this screen closes the window,
 * and the window with the cart shows the result.
 */
export function ConfirmationScreen({
  orderId,
  hasLeft,
  content,
}: {
  orderId: number | undefined
  /** Whether the viewer left the payment page without paying. */
  hasLeft: boolean
  /** The title or channel of a single purchase; undefined for a subscription. */
  content: SoldContent | undefined
}) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const session = useSession()
  const { shuffle } = useRouter().options.context.environment
  const { data: rails = [] } = useQuery(homeQuery(session, shuffle))
  const { data, error } = useQuery(orderQuery(orderId))
  const state = data?.orderStatus
  const isLeft = hasLeft && state === 'submitted'
  useEffect(() => {
    if (error !== null) void alertError(error)
  }, [error])
  useEffect(() => {
    // The window with the cart counts the purchase.
    if (closePaymentWindow()) return
    if (state === 'executed' && orderId !== undefined) void purchased(queries, { orderId })
  }, [state, orderId, queries])
  const single = state === 'executed' ? content : undefined
  const mayWatch = useMayWatch(single)
  const place = usePlace()
  const now = useNow()
  const limitHours = useConfiguration().offers.rentalDisplayLimitHours
  const { data: options = [] } = useQuery({ ...optionsQuery, enabled: single !== undefined })
  const purchase = single && purchaseOf(single, options)
  const time = purchase && viewingTimeText(purchase, { limitHours, now, place }, t)
  const hasBegun = purchase?.startAsset == null || purchase.startAsset <= now
  const texts = isLeft
    ? ({ title: 'cart.leftTitle', text: 'cart.left' } as const)
    : textsOf(state, single && (purchase?.offerType ?? TYPES[single.contentType]))
  return (
    <PosterHead title={t(texts.title)} text={time ?? t(texts.text)} rails={rails} isWholePage>
      {content !== undefined && mayWatch && hasBegun && (
        <ButtonLink
          look="primary"
          to={`${pathOf('player')}?${content.contentType === 'CHANNEL' ? 'channel' : 'asset'}=${content.contentId}`}
        >
          {t('cart.watch')}
        </ButtonLink>
      )}
      {isLeft && (
        <ButtonLink look="primary" to={cartPath({ offerIds: [], ...content })}>
          {t('cart.back')}
        </ButtonLink>
      )}
      {state !== 'executed' && !isLeft && (
        <OffersLink look={state === undefined ? 'secondary' : 'primary'}>{t('cart.toOffers')}</OffersLink>
      )}
      <ButtonLink
        look={
          state === undefined || (state === 'executed' && content === undefined) ? 'primary' : 'secondary'
        }
        to={pathOf('home')}
      >
        {t('cart.home')}
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

/** The usual types of offers for single items. */
const TYPES = { VOD_ASSET: 'transactional', CHANNEL: 'ppv' } as const

/**
 * Returns the purchase of a title or channel. A season has no title of its own, so the newest purchase is returned
 * instead. Undefined until the list contains a purchase.
 */
function purchaseOf({ contentId, contentType }: SoldContent, options: readonly UserOffer[]) {
  const singles = options
    .filter(({ offerType, userValidityPending }) => offerType !== 'subscription' && !userValidityPending)
    .toSorted((one, other) => (other.userValidityFrom ?? 0) - (one.userValidityFrom ?? 0))
  const isOf = ({ idAsset, objectIds }: UserOffer) =>
    contentType === 'CHANNEL' ? objectIds.channel.includes(contentId) : idAsset === contentId
  return singles.find(isOf) ?? singles[0]
}

/** @param single type of the offer that was bought, for a single purchase */
function textsOf(state: OrderState | undefined, single: OfferType | undefined) {
  switch (state) {
    case 'executed':
      return {
        title: single === undefined ? 'cart.confirmed' : single === 'ppv' ? 'cart.bought' : 'cart.rented',
        text: 'cart.confirmedText',
      } as const
    case 'failed':
      return { title: 'cart.failedTitle', text: 'cart.failed' } as const
    case 'expired':
      return { title: 'cart.expiredTitle', text: 'cart.expired' } as const
    case 'submitted':
    case 'to_execute':
      return { title: 'cart.paymentTitle', text: 'cart.paymentSaved' } as const
    default:
      return { title: 'cart.noOrder', text: 'cart.noOrderText' } as const
  }
}
