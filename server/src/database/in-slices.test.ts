import { expect, test } from 'vitest'
import { inSlices } from './in-slices.ts'

const log = { warn: () => {} }

/** Returns work that records its slices. A slice ends when the test calls `endNext`. */
function heldWork() {
  const slices: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const work = async (calls: readonly number[]) => {
    slices.push(calls)
    await new Promise<void>((resolve) => ends.push(resolve))
    return calls.map((call) => call * 10)
  }
  const alone = async (call: number) => (await work([call]))[0] ?? 0
  const endNext = async () => {
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    ends.shift()?.()
  }
  return { slices, endNext, together: work, alone }
}

test('a call begins at once; calls that come meanwhile form the next slices, of limited size', async () => {
  const { slices, endNext, ...work } = heldWork()
  const answer = inSlices({ most: 3, patienceMs: 60_000, log, ...work })
  const first = answer(1)
  await expect.poll(() => slices).toEqual([[1]])
  const later = [2, 3, 4, 5].map(async (call) => await answer(call))
  await endNext()
  expect(await first).toBe(10)
  await expect.poll(() => slices).toEqual([[1], [2, 3, 4]])
  await endNext()
  await endNext()
  expect(await Promise.all(later)).toEqual([20, 30, 40, 50])
  expect(slices).toEqual([[1], [2, 3, 4], [5]])
})

test('a call that is refused fails alone, and the next slice begins', async () => {
  const answer = inSlices<number, number>({
    most: 50,
    log,
    together: async (calls) => calls.map((call) => (call === 2 ? new Error('Not two.') : call)),
    alone: async (call) => {
      if (call === 5) throw new Error('Not five.')
      return call
    },
  })
  const results = await Promise.allSettled([1, 2, 3].map(async (call) => await answer(call)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await expect(answer(5)).rejects.toThrow('Not five.')
  expect(await answer(6)).toBe(6)
})

test('when a slice fails, each of its calls is answered alone', async () => {
  const asked: number[] = []
  const answer = inSlices<number, number>({
    most: 50,
    log,
    together: async () => {
      throw new Error('All went wrong.')
    },
    alone: async (call) => {
      asked.push(call)
      if (call === 2) throw new Error('Two went wrong.')
      return call
    },
  })
  const results = await Promise.allSettled([1, 2, 3].map(async (call) => await answer(call)))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { message: 'Two went wrong.' } })
  expect(asked).toEqual([1, 2, 3])
})

test('a call that never ends delays the others, and does not stop them', async () => {
  const begun: number[] = []
  const answer = inSlices<number, number>({
    patienceMs: 1,
    log,
    together: async () => {
      throw new Error('One waits for a lock.')
    },
    alone: async (call) => {
      begun.push(call)
      return call === 1 ? await new Promise<never>(() => {}) : call
    },
  })
  // The first call is a slice of its own. It has no time limit, and never ends. The next slices begin all the same.
  void answer(1)
  await expect.poll(() => begun).toEqual([1])
  expect(await answer(2)).toBe(2)
  const all = await Promise.allSettled([1, 3, 4, 5, 6, 7].map(async (call) => await answer(call)))
  expect(all.map(({ status }) => status)).toEqual(['rejected', ...[3, 4, 5, 6, 7].map(() => 'fulfilled')])
})

test('when a slice of reads fails, its calls fail with it, and the database is not asked again', async () => {
  let asked = 0
  const answer = inSlices<number, number>({
    log,
    failsTogether: true,
    together: async (calls) => {
      asked++
      if (asked === 1) throw new Error('The database does not answer.')
      return [...calls]
    },
  })
  const results = await Promise.allSettled([1, 2, 3].map(async (call) => await answer(call)))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(asked).toBe(1)
  expect(await Promise.all([4, 5].map(async (call) => await answer(call)))).toEqual([4, 5])
})
