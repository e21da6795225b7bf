/**
 * The store waits for a step outside of the app, such as a parent's approval. The store reports the purchase once
 * it is paid.
 */
export class PendingPurchase extends Error {
  override name = 'PendingPurchase'
}
