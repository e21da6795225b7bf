import type { OrderState } from '@ondine/contract/orders'

/** Interval of the polls of an order, in milliseconds (A4.8-05). */
export const ORDER_POLL_MS = 3000
/** Interval between checks whether the viewer has closed the payment window, in milliseconds (A4.8-06). */
const WINDOW_LOOK_MS = 1000

/**
 * The end of a payment: the final state of its order, or `closed` if the viewer closed the payment window before the
 * order was final.
 */
export type PaymentEnd = Extract<OrderState, 'executed' | 'failed' | 'expired'> | 'closed'

export interface WatchedPayment {
  /** Fetches the state of the order. */
  check: () => Promise<OrderState>
  /** Whether to poll at once, because the payment may complete without an action of the viewer. */
  atOnce?: boolean
  /** Returns whether the payment window was closed; always false without a window. */
  isClosed: () => boolean
  onEnd: (end: PaymentEnd) => void
  /** Called when a poll fails. Polling then ends. */
  onFault: (error: unknown) => void
}

/**
 * Polls the order of a payment until the order is executed, failed or expired, or until the payment window is closed
 * (spec 36). After the window was closed, one more poll follows, because the viewer may have paid before closing it.
 *
 * @returns a function that stops the polls
 */
export function watchPayment({
  check,
  atOnce = false,
  isClosed,
  onEnd,
  onFault,
}: WatchedPayment): () => void {
  let isOver = false
  let asking: Promise<void> | undefined
  const stop = () => {
    isOver = true
    clearInterval(polling)
    clearInterval(looking)
  }
  const end = (how: PaymentEnd) => {
    stop()
    onEnd(how)
  }
  const ask = async (isLast: boolean) => {
    try {
      const state = await check()
      if (isOver) return
      if (state === 'executed' || state === 'failed' || state === 'expired') end(state)
      // Only an unpaid order is still `submitted`. A paid order is executed within a moment, so polling continues
      // although the window is closed.
      else if (isLast && state === 'submitted') end('closed')
    } catch (error) {
      if (isOver) return
      stop()
      onFault(error)
    }
  }
  const poll = () => {
    asking ??= ask(false).finally(() => {
      asking = undefined
    })
  }
  const polling = setInterval(poll, ORDER_POLL_MS)
  const looking = setInterval(() => {
    if (!isClosed()) return
    clearInterval(looking)
    // The service may have answered the pending poll before the window was closed, so one more poll follows.
    void Promise.resolve(asking).then(() => (isOver ? undefined : ask(true)))
  }, WINDOW_LOOK_MS)
  if (atOnce) poll()
  return stop
}
