import Fastify from 'fastify'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Heard } from './changes.ts'
import { Replica } from './replica.ts'

interface Row {
  id: number
  text: string
}

describe('a followed copy of a table', () => {
  let table: Map<number, string>
  let tell: Heard
  let reads: string[]
  /** Called once, during the next read of rows. */
  let meanwhile: (() => void) | undefined

  const rowsOf = (ids: Iterable<number>): Row[] =>
    [...ids].flatMap((id) => {
      const text = table.get(id)
      return text === undefined ? [] : [{ id, text }]
    })

  function follow(exact = true) {
    const changes = {
      on: (_topic: string, heard: Heard) => {
        tell = heard
      },
      isListening: true,
      settled: async () => {},
      close: async () => {},
    }
    const read = async (what: string, rows: () => Row[]) => {
      reads.push(what)
      const found = rows()
      await Promise.resolve()
      const happening = meanwhile
      meanwhile = undefined
      happening?.()
      return found
    }
    return new Replica(
      {
        topic: 'searchWords',
        readAfter: async (after, limit) =>
          await read(`after ${after}`, () =>
            rowsOf([...table.keys()].filter((id) => id > after).toSorted((a, b) => a - b)).slice(0, limit),
          ),
        readThese: async (ids) => await read(`these ${ids.join()}`, () => rowsOf(ids)),
      },
      () => new Copy(),
      { changes, log: Fastify().log, exact },
    )
  }

  class Copy {
    readonly rows = new Map<number, string>()
    isWorn = false
    add({ id, text }: Row) {
      this.rows.set(id, text)
    }
    remove(id: number) {
      this.rows.delete(id)
    }
  }

  const textsIn = async (followed: Replica<Row, Copy>) => [...(await followed.current()).rows.values()]

  beforeEach(() => {
    table = new Map([
      [1, 'one'],
      [2, 'two'],
    ])
    reads = []
    meanwhile = undefined
  })

  it('reads all rows once, then only changed rows', async () => {
    const followed = follow()
    expect(await textsIn(followed)).toEqual(['one', 'two'])
    expect(await textsIn(followed)).toEqual(['one', 'two'])
    table.delete(1)
    table.set(3, 'three')
    tell([1, 3])
    expect(await textsIn(followed)).toEqual(['two', 'three'])
    expect(reads).toEqual(['after 0', 'these 1,3'])
  })

  it('reads rows in slices, one after the other', async () => {
    table = new Map(Array.from({ length: 1001 }, (_, index) => [index + 1, String(index)]))
    expect(await textsIn(follow())).toHaveLength(1001)
    expect(reads).toEqual(['after 0', 'after 500', 'after 1000'])
  })

  it('lets other work run between two slices, although the database answers without waiting', async () => {
    table = new Map(Array.from({ length: 1001 }, (_, index) => [index + 1, String(index)]))
    const readBy: number[] = []
    const turn = () => {
      readBy.push(reads.length)
      if (reads.length < 3) setImmediate(turn)
    }
    setImmediate(turn)
    await follow().current()
    expect(readBy).toContain(1)
    expect(readBy).toContain(2)
  })

  it('includes rows that change while it is read', async () => {
    const followed = follow()
    meanwhile = () => {
      table.set(2, 'deux')
      tell([2])
    }
    expect(await textsIn(followed)).toEqual(['one', 'deux'])
  })

  it('reads only the table after changes that came before the first read, or together with a notice without ids', async () => {
    const followed = follow()
    table.set(3, 'three')
    tell([2, 3])
    expect(await textsIn(followed)).toEqual(['one', 'two', 'three'])
    table.delete(1)
    tell([1])
    tell(null)
    table.set(4, 'four')
    tell([4])
    expect(await textsIn(followed)).toEqual(['two', 'three', 'four'])
    table.set(4, 'quatre')
    tell([4])
    expect(await textsIn(followed)).toEqual(['two', 'three', 'quatre'])
    expect(reads).toEqual(['after 0', 'after 0', 'these 4'])
  })

  it('reads all rows again after a notice without ids, or when the copy is worn', async () => {
    const followed = follow()
    const copy = await followed.current()
    table.set(2, 'deux')
    tell(null)
    expect(await textsIn(followed)).toEqual(['one', 'deux'])
    const second = await followed.current()
    expect(second).not.toBe(copy)
    second.isWorn = true
    expect(await followed.current()).not.toBe(second)
    expect(reads).toEqual(['after 0', 'after 0', 'after 0'])
  })

  it('may lag after many changes, unless it must be exact', async () => {
    const followed = follow(false)
    await followed.current()
    for (let id = 3; id < 900; id++) table.set(id, 'more')
    tell([...table.keys()])
    expect(await textsIn(followed)).toEqual(['one', 'two'])
    await expect.poll(async () => (await followed.current()).rows.size).toBe(899)
  })

  it('keeps the last rows while they cannot be read, and retries', async () => {
    const followed = follow()
    await followed.current()
    meanwhile = () => {
      throw new Error('the database is away')
    }
    table.set(1, 'un')
    tell([1])
    expect(await textsIn(followed)).toEqual(['one', 'two'])
    await expect.poll(async () => await textsIn(followed)).toEqual(['un', 'two'])
  })

  it('fails when the rows could never be read', async () => {
    const followed = follow()
    meanwhile = () => {
      throw new Error('the database is away')
    }
    await expect(followed.current()).rejects.toThrow('away')
    expect(await textsIn(followed)).toEqual(['one', 'two'])
  })
})
