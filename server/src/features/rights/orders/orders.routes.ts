import { amountText } from '@ondine/contract/money'
import {
  addOptions,
  askPayment,
  checkOrderStatus,
  listPaymentMethods,
  optionsValidity,
  removeOptions,
} from '@ondine/contract/orders'
import { redeemGift, validateVoucher } from '@ondine/contract/vouchers'
import type { Context } from '../../../context.ts'
import { notFoundBy } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { siteOriginOf } from '../../../http/site-origin.ts'
import { accountOffers, readPurchases } from './account-offers.service.ts'
import { buyerOf, emptyCart, fillCart } from './cart.service.ts'
import { validateVoucher as lookAtVoucher } from './cart-voucher.service.ts'
import * as orders from './orders.service.ts'
import { listMethods } from './payment-choice.ts'
import { onPurchase } from './purchase-memory.ts'
import { redeemGift as takeGift } from './redeem-gift.ts'
import { returnAddress } from './return-address.ts'

export function registerOrders(on: On, context: Context, parts: orders.OrderParts): void {
  const onChange = onPurchase(on, context.purchases)

  onChange(addOptions, async ({ optionIds = [], extra, parentalProof }, call) => {
    const buyer = await buyerOf(context, call, parentalProof)
    await fillCart(parts, buyer, optionIds, extra?.context ?? {})
    return null
  })

  onChange(removeOptions, async ({ optionIds = [], parentalProof }, call) => {
    await emptyCart(parts, await buyerOf(context, call, parentalProof), optionIds)
    return null
  })

  on(optionsValidity, async ({ parentalProof }, call) => {
    const buyer = await buyerOf(context, call, parentalProof)
    const purchases = await readPurchases(call.db, buyer.account.id, call.now)
    return accountOffers(purchases, buyer).map(({ offer, statusId }) => ({ optionId: offer.id, statusId }))
  })

  on(listPaymentMethods, async ({ parentalProof }, call) => {
    const { account } = await buyerOf(context, call, parentalProof)
    return await listMethods(parts, account.id)
  })

  onChange(
    askPayment,
    async ({ voucher, amount, renewals, lines, returnUrl, parentalProof, ...sent }, call) => {
      const { paymentData, paymentProvider, paymentBrand, paymentMethod } = sent
      const method = { paymentData, paymentProvider, paymentBrand, paymentMethod }
      const buyer = await buyerOf(context, call, parentalProof)
      const { origin } = siteOriginOf(context, call.request)
      const returnTo = returnAddress(returnUrl, { origin, appOrigins: context.settings.APP_ORIGINS })
      const { order, action } = await orders.askPayment(parts, buyer, {
        method,
        voucher: voucher === '' ? undefined : voucher,
        seen: { amount, renewals, lines },
        returnTo,
        origin,
      })
      return { action, amount: amountText(order.cents), orderId: order.id }
    },
  )

  onChange(validateVoucher, async ({ voucherCode, parentalProof }, call) => {
    const buyer = await buyerOf(context, call, parentalProof)
    return await lookAtVoucher(parts, buyer, voucherCode)
  })

  onChange(redeemGift, async ({ voucherCode, parentalProof }, call) => {
    const buyer = await buyerOf(context, call, parentalProof)
    const { from, to, ...gift } = await takeGift(parts, buyer, voucherCode)
    return { ...gift, userValidityFrom: Math.floor(from / 1000), userValidityTo: Math.floor(to / 1000) }
  })

  onChange(checkOrderStatus, async ({ orderId }, call) => {
    const { account, now } = call
    // Reject tokens that are no longer valid. A suspended account may still read the status of its orders.
    await context.viewers.of(call, now)
    const order = await parts.findOrder({ accountId: account.id, orderId })
    if (!order) throw notFoundBy('orderId')
    return { orderStatus: (await orders.orderStatus(parts, order)).state }
  })
}
