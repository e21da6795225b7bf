import { expect, test } from 'vitest'
import { type Heard, Listeners, type Topic } from './changes.ts'
import { rememberByProfile } from './profile-memory.ts'

interface Kept {
  titles: number
}

/** A cache of favourites. Each read of the database waits until the test resolves it. */
function scene() {
  const listeners = new Listeners()
  const reads: PromiseWithResolvers<Kept>[] = []
  const changes = {
    on: (topic: Topic, heard: Heard) => listeners.on(topic, heard),
    isListening: true,
    settled: async () => {},
    close: async () => {},
  }
  const read = rememberByProfile<Kept>(changes, 'favourites', { titles: 0 }, async () => {
    const pending = Promise.withResolvers<Kept>()
    reads.push(pending)
    return await pending.promise
  })
  return { read, reads, change: (notice: string) => listeners.tell(notice) }
}

test('a value is read once for all callers', async () => {
  const { read, reads } = scene()
  const callers = [read(7), read(7)]
  reads[0]?.resolve({ titles: 1 })
  expect(await Promise.all(callers)).toEqual([{ titles: 1 }, { titles: 1 }])
  expect(await read(7)).toEqual({ titles: 1 })
  expect(reads).toHaveLength(1)
})

test.each([
  ['of the profile', 'favourites:7'],
  ['of every profile', 'favourites'],
])('a change %s during a read is seen by the next caller', async (_whose, notice) => {
  const { read, reads, change } = scene()
  const first = read(7)
  change(notice)
  const second = read(7)
  reads[1]?.resolve({ titles: 2 })
  expect(await second).toEqual({ titles: 2 })
  // The older read ends last. Its value must not replace the newer value.
  reads[0]?.resolve({ titles: 1 })
  expect(await first).toEqual({ titles: 1 })
  expect(await read(7)).toEqual({ titles: 2 })
  expect(reads).toHaveLength(2)
})

test('a value that changed while it was read is not cached', async () => {
  const { read, reads, change } = scene()
  const first = read(7)
  change('favourites:7')
  reads[0]?.resolve({ titles: 1 })
  expect(await first).toEqual({ titles: 1 })
  const next = read(7)
  expect(reads).toHaveLength(2)
  reads[1]?.resolve({ titles: 2 })
  expect(await next).toEqual({ titles: 2 })
})

test('a failed read is not kept', async () => {
  const { read, reads } = scene()
  const first = read(7)
  reads[0]?.reject(new Error('The database is silent'))
  await expect(first).rejects.toThrow('The database is silent')
  const next = read(7)
  reads[1]?.resolve({ titles: 1 })
  expect(await next).toEqual({ titles: 1 })
})
