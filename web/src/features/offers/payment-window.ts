/** The name of the window in which one pays. */
const NAME = 'payment'

/**
 * Opens the payment window. Only in a press: browsers block it otherwise. Without an address it waits for one.
 *
 * @returns null when the browser blocked it
 */
export function openPaymentWindow(address = ''): Window | null {
  return window.open(address, NAME, 'popup,width=560,height=780')
}

/** Closes this window if it is a payment window that has come back: the one that opened it goes on. */
export function closePaymentWindow(): void {
  if (window.name === NAME && window.opener !== null) window.close()
}
