import type { OrderState } from '@ondine/contract/orders'

/** Between two questions after an order (A4.8-05). */
export const ORDER_POLL_MS = 3000
/** Between two looks at whether the payment window was closed (A4.8-06). */
export const WINDOW_LOOK_MS = 1000

/** What a payment came to: the state that the order stays in, or that the window was closed before. */
export type PaymentEnd = Extract<OrderState, 'executed' | 'failed' | 'expired'> | 'closed'

export interface WatchedPayment {
  /** Asks how the order stands. */
  check: () => Promise<OrderState>
  /** Whether it is asked at once: where nobody has to do anything, the payment may be done already. */
  atOnce?: boolean
  /** Whether the payment window was closed; never, where there is none. */
  isClosed: () => boolean
  onEnd: (end: PaymentEnd) => void
  /** The order could not be asked after; nothing is asked any more. */
  onFault: (error: unknown) => void
}

/**
 * Follows a payment until its order is executed, failed or expired, or until the payment window is closed (decision 36). A window that
 * is closed may have been closed because all was paid: the order is asked after once more.
 *
 * @returns how to end it
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
      // What is paid is executed in a moment, with or without the window.
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
    // An answer that is on its way may be older than the closing.
    void Promise.resolve(asking).then(() => (isOver ? undefined : ask(true)))
  }, WINDOW_LOOK_MS)
  if (atOnce) poll()
  return stop
}
