import { describe, expect, test } from 'vitest'
import { findPurchase, PURCHASE_POLL_MS, PURCHASE_TRIES } from './find-purchase.ts'

describe('polling the subscription service for a purchase', () => {
  async function find(there: (turn: number) => boolean): Promise<{ isFound: boolean; waits: number[] }> {
    const waits: number[] = []
    let turn = 0
    const isFound = await findPurchase(
      async () => there(++turn),
      async (milliseconds) => {
        waits.push(milliseconds)
      },
    )
    return { isFound, waits }
  }

  test('finds it at once', async () => {
    expect(await find(() => true)).toEqual({ isFound: true, waits: [] })
  })

  test('repeats until it is there', async () => {
    expect(await find((turn) => turn === 3)).toEqual({
      isFound: true,
      waits: [PURCHASE_POLL_MS, PURCHASE_POLL_MS],
    })
  })

  test('gives up after some tries', async () => {
    const { isFound, waits } = await find(() => false)
    expect([isFound, waits.length]).toEqual([false, PURCHASE_TRIES - 1])
  })

  test('fails when the request fails', async () => {
    await expect(find(() => Promise.reject(new Error('no answer')) as unknown as boolean)).rejects.toThrow(
      'no answer',
    )
  })
})
