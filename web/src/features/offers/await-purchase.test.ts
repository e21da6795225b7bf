import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { awaitPurchase } from './await-purchase.ts'

describe('a purchase that is awaited in the library', () => {
  let looks: number[]
  let ends: number

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
    looks = []
    ends = 0
  })
  afterEach(() => void vi.useRealTimers())

  /** @param arrives the look that finds it, from 1 on. @param fault what the looks before it fail with */
  const begin = (arrives: number, fault?: Error) =>
    awaitPurchase({
      look: async () => {
        looks.push(Date.now())
        if (fault !== undefined && looks.length < arrives) throw fault
        return looks.length === arrives
      },
      onEnd: () => {
        ends += 1
      },
    })

  it('A4.8-08 is looked for each 2 seconds until it is there', async () => {
    begin(3)
    await vi.advanceTimersByTimeAsync(3999)
    expect([looks, ends]).toEqual([[0, 2000], 0])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, ends]).toEqual([[0, 2000, 4000], 1])
  })

  it('A4.8-08 is looked for 5 times at most, and the screen goes on without it', async () => {
    begin(99)
    await vi.advanceTimersByTimeAsync(7999)
    expect(ends).toBe(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, ends]).toEqual([[0, 2000, 4000, 6000, 8000], 1])
  })

  it('is there at once, as a rule', async () => {
    begin(1)
    await vi.advanceTimersByTimeAsync(0)
    expect([looks, ends]).toEqual([[0], 1])
  })

  it('is looked for again after a look that failed', async () => {
    begin(2, new Error('The service does not answer'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, ends]).toEqual([[0, 2000], 1])
  })

  it('is not looked for any more by a screen that was left', async () => {
    const end = begin(3)
    await vi.advanceTimersByTimeAsync(2500)
    end()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, ends]).toEqual([[0, 2000], 0])
  })
})
