import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { awaitPurchase } from './await-purchase.ts'

describe('polling the library for a purchase', () => {
  let looks: number[]
  let ends: number

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
    looks = []
    ends = 0
  })
  afterEach(() => void vi.useRealTimers())

  /**
   * @param arrives number of the poll that finds the purchase, counted from 1
   * @param fault the error that all earlier polls throw
   */
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

  it('A4.8-08 polls every 2 seconds until the purchase is there', async () => {
    begin(3)
    await vi.advanceTimersByTimeAsync(3999)
    expect([looks, ends]).toEqual([[0, 2000], 0])
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, ends]).toEqual([[0, 2000, 4000], 1])
  })

  it('A4.8-08 polls at most 5 times, and the screen continues without it', async () => {
    begin(99)
    await vi.advanceTimersByTimeAsync(7999)
    expect(ends).toBe(0)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, ends]).toEqual([[0, 2000, 4000, 6000, 8000], 1])
  })

  it('ends at once when the purchase is there', async () => {
    begin(1)
    await vi.advanceTimersByTimeAsync(0)
    expect([looks, ends]).toEqual([[0], 1])
  })

  it('polls again after a poll that failed', async () => {
    begin(2, new Error('The service does not answer'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, ends]).toEqual([[0, 2000], 1])
  })

  it('stops when the screen is left', async () => {
    const end = begin(3)
    await vi.advanceTimersByTimeAsync(2500)
    end()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([looks, ends]).toEqual([[0, 2000], 0])
  })
})
