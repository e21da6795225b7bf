import type { OrderState } from '@ondine/contract/orders'

/** Interval of the polls of an order, in milliseconds (A4.8-05). */
export const ORDER_POLL_MS = 3000
/** Interval of the checks whether the payment window was closed, in milliseconds (A4.8-06). */
export const WINDOW_LOOK_MS = 1000

/** The result of a payment: the final state of the order, or `closed` if the payment window was closed first. */
export type PaymentEnd = Extract<OrderState, 'executed' | 'failed' | 'expired'> | 'closed'

export interface WatchedPayment {
  /** Fetches the state of the order. */
  check: () => Promise<OrderState>
  /** Whether to poll at once, because the payment may already be done without an action of the viewer. */
  atOnce?: boolean
  /** Returns whether the payment window was closed; always false without a window. */
  isClosed: () => boolean
  onEnd: (end: PaymentEnd) => void
  /** Called when a poll failed. No more polls follow. */
  onFault: (error: unknown) => void
}

/**
 * Polls a payment until its order is executed, failed or expired, or until the payment window is closed (spec
 * 36). A customer may close the window after paying, so one more poll follows.
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
      // Only an unpaid order is still `submitted`. A paid order is executed within a moment, so its polls
      // continue without the window.
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
    // The pending answer may be from before the window was closed, so one more poll follows.
    void Promise.resolve(asking).then(() => (isOver ? undefined : ask(true)))
  }, WINDOW_LOOK_MS)
  if (atOnce) poll()
  return stop
}
