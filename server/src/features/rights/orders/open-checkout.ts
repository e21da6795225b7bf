import { openCartReads, openOrderReads } from './read-orders.ts'
import { openCarts } from './replace-cart.ts'
import { openSubmission, type SubmitParts } from './submit-cart.ts'
import { openTakeOver, type TakeOverParts } from './take-over.ts'

/** Adds the steps of a checkout that work in slices. All callers that share the result share the slices. */
export function openCheckout<Parts extends SubmitParts & TakeOverParts>(parts: Parts) {
  return {
    ...parts,
    readCart: openCartReads(parts),
    replaceCart: openCarts(parts),
    submitCart: openSubmission(parts),
    takeOver: openTakeOver(parts),
    findOrder: openOrderReads(parts),
  }
}
