import { isNative, leaveFor } from '../../../api/native.ts'

/** The name of the payment window. */
const NAME = 'payment'

/** A window with the provider's payment page. */
export interface PaymentWindow {
  readonly closed: boolean
  close: () => void
  location: { replace: (address: string) => void }
}

/**
 * Opens the payment window. Call this only in a press handler, because browsers block the window otherwise.
 * Without an address, the window stays empty until its address is set. In the native app, the payment page opens
 * in a browser above the app, and the viewer closes that browser.
 *
 * @returns null when the browser blocked the window
 */
export function openPaymentWindow(address = ''): PaymentWindow | null {
  if (isNative()) {
    if (address !== '') leaveFor(address)
    return { closed: false, close: () => {}, location: { replace: leaveFor } }
  }
  return window.open(address, NAME, 'popup,width=560,height=780')
}

/**
 * Closes this window if it is a payment window, in which the payment page has sent the viewer back to this site. The
 * window with the cart shows the result.
 *
 * @returns whether this is a payment window
 */
export function closePaymentWindow(): boolean {
  const isPaymentWindow = window.name === NAME && window.opener !== null
  if (isPaymentWindow) window.close()
  return isPaymentWindow
}
