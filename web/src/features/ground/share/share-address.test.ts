import { expect, test } from 'vitest'
import { shareAddress } from './share-address.ts'

const origin = 'https://ondine.test'

test.each([
  ['', 'https://ondine.test/content/la-houle-1'],
  ['https://watch.example.org', 'https://watch.example.org/content/la-houle-1'],
  ['https://watch.example.org/go/', 'https://watch.example.org/go/content/la-houle-1'],
])('V3-46 with the share address %j', (base, address) => {
  expect(shareAddress('/content/la-houle-1', { base, origin })).toBe(address)
})
