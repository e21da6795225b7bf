import { checkOrderStatus } from '@ondine/contract/orders'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../api/call.ts'
import { isNative } from '../../../api/native.ts'
import { Button } from '../../../design/buttons/button.tsx'
import { centsOf } from '../../../words/money.ts'
import { alertError } from '../../ground/errors/alert-error.ts'
import { pathOf } from '../../ground/links/content-link.ts'
import { type PaymentEnd, watchPayment } from '../orders/watch-payment.ts'
import { rememberOrder } from './begun-order.ts'
import type { BegunPayment } from './cart-screen.tsx'
import type { SoldContent } from './offer-paths.ts'
import { openPaymentWindow } from './payment-window.ts'
import { ProgressPage } from './progress-page.tsx'

/**
 * The state of a payment. `open`: the payment window is open. `blocked`: the browser blocked that window. `saved`:
 * no window is needed, for example because a saved card pays. `asked`: a saved card pays, and its bank asks the viewer
 * to confirm the payment on a page. All other states say how the payment ended.
 */
type State = 'open' | 'blocked' | 'saved' | 'asked' | Exclude<PaymentEnd, 'executed'>

/** The texts for a payment, and for an order without a payment. Such an order only saves a card, or needs no card. */
const WORDS = {
  payment: {
    titles: {
      open: 'paymentTitle',
      saved: 'paymentTitle',
      asked: 'askedTitle',
      blocked: 'blockedTitle',
      closed: 'closedTitle',
      failed: 'failedTitle',
      expired: 'expiredTitle',
    },
    texts: {
      open: 'paymentOpen',
      saved: 'paymentSaved',
      asked: 'asked',
      blocked: 'blocked',
      closed: 'closed',
      failed: 'failed',
      expired: 'expired',
    },
    resume: 'resume',
  },
  saving: {
    titles: {
      open: 'savingTitle',
      saved: 'asking',
      asked: 'savingTitle',
      blocked: 'blockedTitle',
      closed: 'closedTitle',
      failed: 'savingFailedTitle',
      expired: 'savingExpiredTitle',
    },
    texts: {
      open: 'savingOpen',
      saved: 'ordering',
      asked: 'savingAsked',
      blocked: 'blocked',
      closed: 'savingClosed',
      failed: 'savingFailed',
      expired: 'savingExpired',
    },
    resume: 'savingResume',
  },
} as const satisfies Record<
  string,
  { titles: Record<State, string>; texts: Record<State, string>; resume: string }
>
const WATCHED: ReadonlySet<State> = new Set(['open', 'blocked', 'saved', 'asked'])

/** Shows a payment that is in progress or has failed. */
export function PaymentProgress({
  payment: { asked, opened },
  content,
  onBack,
  onExecuted,
}: {
  payment: BegunPayment
  /** The title or channel of a single purchase; undefined for a subscription. */
  content: SoldContent | undefined
  /** Goes back to the cart. */
  onBack: () => void
  /** Called after a payment. By default, the confirmation screen of the shop opens. */
  onExecuted?: ((orderId: number) => void) | undefined
}) {
  const { t } = useTranslation('cart')
  const navigate = useNavigate()
  const paymentWindow = useRef(opened)
  const { orderId, action, amount } = asked
  const [state, setState] = useState<State>(
    opened === undefined ? (action === null ? 'saved' : 'asked') : opened === null ? 'blocked' : 'open',
  )
  const words = WORDS[centsOf(amount) > 0 || action === null ? 'payment' : 'saving']
  const isWatched = WATCHED.has(state)
  // Nothing tells the native app that the viewer has closed the browser above it, so an open page can be opened again.
  const mayOpen = state === 'asked' || state === 'blocked' || (state === 'open' && isNative())

  const ended = useEffectEvent((end: PaymentEnd) => {
    paymentWindow.current?.close()
    if (end !== 'executed') setState(end)
    else if (onExecuted !== undefined) onExecuted(orderId)
    else
      void navigate({
        to: pathOf('offers-confirmation'),
        search: { orderId, ...content },
        replace: true,
      })
  })
  const failed = useEffectEvent((error: unknown) => {
    paymentWindow.current?.close()
    setState('closed')
    void alertError(error)
  })
  const isSaved = useEffectEvent(() => state === 'saved')
  useEffect(() => {
    if (!isWatched) return undefined
    rememberOrder(orderId)
    return watchPayment({
      check: async () => (await call(checkOrderStatus, { orderId })).orderStatus,
      atOnce: isSaved(),
      isClosed: () => paymentWindow.current?.closed === true,
      onEnd: ended,
      onFault: failed,
    })
  }, [isWatched, orderId])

  function open(): void {
    paymentWindow.current = openPaymentWindow(action ?? '')
    setState(paymentWindow.current === null ? 'blocked' : 'open')
  }

  return (
    <ProgressPage
      state={state}
      isMoving={isWatched}
      title={t(words.titles[state])}
      text={t(words.texts[state])}
    >
      {action !== null && (mayOpen || state === 'closed') && (
        <Button look="primary" onPress={open}>
          {t(mayOpen ? 'open' : words.resume)}
        </Button>
      )}
      {(state === 'failed' || state === 'expired') && (
        <Button look="primary" onPress={onBack}>
          {t('again')}
        </Button>
      )}
      {(mayOpen || state === 'closed') && <Button onPress={onBack}>{t('back')}</Button>}
    </ProgressPage>
  )
}
