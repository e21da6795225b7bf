import type { OrderState } from '@ondine/contract/orders'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchPayment } from './watch-payment.ts'

describe('watching a payment', () => {
  let asked: number[]
  let ends: string[]
  let state: OrderState | Error
  let isClosed: boolean

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
    asked = []
    ends = []
    state = 'submitted'
    isClosed = false
  })
  afterEach(() => void vi.useRealTimers())

  const watch = (atOnce = false) =>
    watchPayment({
      atOnce,
      check: async () => {
        asked.push(Date.now())
        if (state instanceof Error) throw state
        return state
      },
      isClosed: () => isClosed,
      onEnd: (end) => ends.push(end),
      onFault: (error) => ends.push(String(error)),
    })

  it('A4.8-05 polls every 3 seconds until the order is executed', async () => {
    watch()
    await vi.advanceTimersByTimeAsync(9500)
    expect([asked, ends]).toEqual([[3000, 6000, 9000], []])
    state = 'executed'
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked.length, ends]).toEqual([4, ['executed']])
  })

  it('polls at once where the viewer has nothing to do', async () => {
    state = 'executed'
    watch(true)
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, ends]).toEqual([[0], ['executed']])
  })

  it.each(['failed', 'expired'] as const)('ends with an order that is %s', async (last) => {
    watch()
    state = last
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, ends]).toEqual([[3000], [last]])
  })

  it('A4.8-06 ends within a second after the window closes, and polls no more', async () => {
    watch()
    await vi.advanceTimersByTimeAsync(4200)
    isClosed = true
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, ends]).toEqual([[3000, 5000], ['closed']])
  })

  it('ends as paid, not closed, when the window closes after the payment', async () => {
    watch()
    isClosed = true
    state = 'executed'
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, ends]).toEqual([[1000], ['executed']])
  })

  it('continues without its window while a paid order is being executed', async () => {
    watch()
    isClosed = true
    state = 'to_execute'
    await vi.advanceTimersByTimeAsync(5000)
    expect(ends).toEqual([])
    state = 'executed'
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, ends]).toEqual([[1000, 3000, 6000], ['executed']])
  })

  it('A8.3-11 ends with the first poll that fails', async () => {
    watch()
    state = new Error('silent')
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, ends]).toEqual([[3000], ['Error: silent']])
  })

  it('reports nothing after it is stopped, even if an answer is on its way', async () => {
    const stop = watch()
    state = 'executed'
    vi.advanceTimersByTime(3000)
    stop()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([asked, ends]).toEqual([[3000], []])
  })
})
