// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'

/** Loads the module anew, as each tab does. @returns whether the tab fetches its data again */
async function purchaseInTab(orderId: number): Promise<boolean> {
  vi.resetModules()
  const { purchased } = await import('./purchased.ts')
  const queries = new QueryClient()
  queries.setQueryData(['home'], 'without the purchase')
  await purchased(queries, { orderId })
  return queries.getQueryState(['home'])?.isInvalidated === true
}

test('A4.8-07 a purchase is counted once on a device, and every tab fetches what it unlocks', async () => {
  const counted: unknown[] = []
  window.addEventListener('ondine:purchase', (event) => counted.push((event as CustomEvent).detail))
  expect([await purchaseInTab(9), await purchaseInTab(9), await purchaseInTab(10)]).toEqual([
    true,
    true,
    true,
  ])
  expect(counted).toEqual([{ orderId: 9 }, { orderId: 10 }])
})
