import { isNative, leaveFor } from '../../../api/native.ts'

/** The name of the payment window. */
const NAME = 'payment'

/** A window with the page of a payment. */
export interface PaymentWindow {
  readonly closed: boolean
  close: () => void
  location: { replace: (address: string) => void }
}

/**
 * Opens the payment window. Call this only in the handler of a press, because browsers block the window otherwise.
 * Without an address, the window stays empty until it gets one. In the native app, the page opens in a browser above the
 * app, which the viewer closes.
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
 * Closes this window if it is a payment window whose payment page has returned to this site. The window that opened it
 * shows the result.
 */
export function closePaymentWindow(): void {
  if (window.name === NAME && window.opener !== null) window.close()
}
