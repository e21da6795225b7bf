import type { OrderState } from '@ondine/contract/orders'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../design/button.tsx'
import { useSession } from '../accounts/session.ts'
import { homeQuery } from '../catalogue/queries.ts'
import { alertError } from '../errors/alert-error.ts'
import { PosterHead } from '../home/poster-head.tsx'
import { pathOf } from '../links/content-link.ts'
import { orderQuery } from './order-query.ts'
import { closePaymentWindow } from './payment-window.ts'
import { purchased } from './purchased.ts'

/** What came of an order (A2.1-25, A4.8-09). In the payment window it closes that: the cart behind it goes on. */
export function ConfirmationScreen({
  orderId,
  contentId,
}: {
  orderId: number | undefined
  /** The title that was bought; undefined for a subscription. */
  contentId: number | undefined
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
  const texts = textsOf(state, contentId !== undefined)
  return (
    <PosterHead title={t(texts.title)} text={t(texts.text)} rails={rails}>
      {state === 'executed' && contentId !== undefined && (
        <ButtonLink look="primary" to={`${pathOf('player')}?asset=${contentId}`}>
          {t('watch')}
        </ButtonLink>
      )}
      {state !== 'executed' && (
        <ButtonLink look="primary" to={pathOf('offers')}>
          {t('toOffers')}
        </ButtonLink>
      )}
      <ButtonLink
        look={state === 'executed' && contentId === undefined ? 'primary' : 'secondary'}
        to={pathOf('home')}
      >
        {t('home')}
      </ButtonLink>
    </PosterHead>
  )
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
