import { expect, test } from 'vitest'
import { bundledWords } from '../../words/bundled-words.ts'
import { purchaseActions, soldContent } from './purchase-actions.ts'

test('A3-25 content is sold as a title or as a channel; a trailer is not sold', () => {
  expect(soldContent({ kind: 'asset', id: 7 })).toEqual({ contentId: 7, contentType: 'VOD_ASSET' })
  expect(soldContent({ kind: 'channel', id: 7 })).toEqual({ contentId: 7, contentType: 'CHANNEL' })
  expect(soldContent({ kind: 'trailer', id: 7 })).toBeUndefined()
})

test('V6-03 a locked channel can be bought or rented: each action leads to the cart', () => {
  const { t } = bundledWords('eng')
  const content = { contentId: 7, contentType: 'CHANNEL' } as const
  const actions = purchaseActions(
    [
      { idOption: 1, offerType: 'ppv', priceWithVat: '2.50' },
      { idOption: 2, offerType: 'transactional', priceWithVat: '3.99' },
    ],
    content,
    { language: 'eng', t },
  )
  expect(actions).toEqual([
    { text: 'Buy €2.50', to: '/offers/cart?offerId=1&contentId=7&contentType=CHANNEL' },
    { text: 'Rent €3.99', to: '/offers/cart?offerId=2&contentId=7&contentType=CHANNEL' },
  ])
  expect(purchaseActions([], content, { language: 'eng', t })).toEqual([])
})
