import { DEFAULT_LANGUAGE } from '@ondine/contract/languages'
import { amountText } from '@ondine/contract/money'
import { printedNumber } from '../receipts/receipts.service.ts'
import { titleOf } from './offer-title.ts'
import type { OperatedOrder, WholeOrder } from './operated-orders.ts'

/** Returns an order in the form of the operators' API. */
export function presentOrder({ order, email, payment }: OperatedOrder) {
  const { id, accountId, state, cents, discountCents, submittedAt, closedAt } = order
  return {
    idOrder: id,
    idAccount: accountId,
    email,
    state,
    amount: amountText(cents),
    discount: amountText(discountCents),
    submittedAt: Math.floor(submittedAt / 1000),
    closedAt: closedAt === null ? null : Math.floor(closedAt / 1000),
    payment: payment && { provider: payment.provider, key: payment.key, state: payment.state },
  }
}

/** Returns an order with its items, voucher and receipts, in the form of the operators' API. */
export function presentWhole(whole: WholeOrder) {
  return {
    ...presentOrder(whole),
    items: whole.items.map(({ key, revision, terms, assetId, cents, discountCents, promotion }) => ({
      key,
      revision,
      title: titleOf({ terms }, DEFAULT_LANGUAGE),
      idAsset: assetId,
      amount: amountText(cents),
      discount: amountText(discountCents),
      promotion: promotion && {
        price: amountText(promotion.cents),
        periods: promotion.periods,
        usualPrice: amountText(terms.cents),
      },
    })),
    voucher: whole.voucher,
    receipts: whole.receipts.map(printedNumber),
  }
}
