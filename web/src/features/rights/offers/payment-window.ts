/** The name of the payment window. */
const NAME = 'payment'

/**
 * Opens the payment window. Call this only in the handler of a press, because browsers block the window otherwise.
 * Without an address, the window stays empty until it gets one.
 *
 * @returns null when the browser blocked the window
 */
export function openPaymentWindow(address = ''): Window | null {
  return window.open(address, NAME, 'popup,width=560,height=780')
}

/**
 * Closes this window if it is a payment window whose payment page has returned to this site. The window that opened it
 * shows the result.
 */
export function closePaymentWindow(): void {
  if (window.name === NAME && window.opener !== null) window.close()
}
