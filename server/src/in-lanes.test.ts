import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { inLanes } from './in-lanes.ts'

describe('work in lanes', () => {
  it('handles all items, as many at a time as there are lanes, and returns the results in order', async () => {
    let running = 0
    let most = 0
    const results = await inLanes(3, new Set([5, 1, 4, 2, 3]), async (item) => {
      most = Math.max(most, ++running)
      for (let turn = 0; turn < item; turn++) await setImmediate()
      running--
      return item * 10
    })
    expect(results).toEqual([50, 10, 40, 20, 30])
    expect(most).toBe(3)
  })

  it('ends after an error, when the lanes have ended, without beginning another item', async () => {
    const begun: number[] = []
    const ended: number[] = []
    const work = inLanes(2, [1, 2, 3, 4], async (item) => {
      begun.push(item)
      await setImmediate()
      if (item === 1) throw new Error('one fails')
      await setImmediate()
      ended.push(item)
    })
    await expect(work).rejects.toThrow('one fails')
    expect(begun).toEqual([1, 2])
    expect(ended).toEqual([2])
  })
})
