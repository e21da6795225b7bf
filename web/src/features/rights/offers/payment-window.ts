/** The name of the payment window. */
const NAME = 'payment'

/**
 * Opens the payment window. Call it only in a press handler: browsers block it otherwise. If no address is
 * given, the window stays empty until it gets one.
 *
 * @returns null when the browser blocked it
 */
export function openPaymentWindow(address = ''): Window | null {
  return window.open(address, NAME, 'popup,width=560,height=780')
}

/** Closes this window if it is a payment window that has returned to this site. The window that opened it continues. */
export function closePaymentWindow(): void {
  if (window.name === NAME && window.opener !== null) window.close()
}
