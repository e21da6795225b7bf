import { addOptions, askPayment, checkOrderStatus } from '@ondine/contract/orders'
import { expect } from 'vitest'
import type { Person } from '../people.ts'
import { sharedService } from '../shared-service.ts'
import { callAs } from './viewers.ts'

/** A title or a channel that is bought. */
interface Content {
  contentId: number
  contentType: 'VOD_ASSET' | 'CHANNEL'
}

/** Buys an offer for a person, with a card at the bank. @returns the order's id */
export async function buy(person: Person, idOption: number, content?: Content): Promise<number> {
  const extra = content && { context: content }
  await callAs(person, addOptions, { optionIds: [idOption], ...(extra && { extra }) })
  const { action, orderId } = await callAs(person, askPayment, {
    returnUrl: `${sharedService().origin}/account/products`,
    paymentData: '{"brandBillingProviderId":5}',
    policyValidation: true,
  })
  await fetch(action ?? '', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ do: 'pay', card: '4242424242424242', notices: 'never' }),
  })
  expect((await callAs(person, checkOrderStatus, { orderId })).orderStatus).toBe('executed')
  return orderId
}
