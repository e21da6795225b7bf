import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PictureCache } from './picture-cache.ts'

const KILOBYTE = Buffer.alloc(1000)
const HOUR = 3600_000

let folder: string
let now: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ondine-cache-'))
  now = Date.UTC(2026, 0, 15)
})
afterEach(async () => await rm(folder, { recursive: true, force: true }))

const open = (maxBytes: number) => new PictureCache({ folder, maxBytes, now: () => now })

async function names(): Promise<string[]> {
  const files = await readdir(folder, { recursive: true })
  return files.flatMap((path) => path.split('/')[1] ?? []).sort()
}

describe('the picture cache', () => {
  it('returns the written bytes, and nothing else', async () => {
    const cache = open(10_000)
    await cache.write('aa-1.webp', Buffer.from('one'))
    expect((await cache.read('aa-1.webp'))?.toString()).toBe('one')
    expect(await cache.read('aa-2.webp')).toBeUndefined()
    expect(await open(10_000).read('aa-1.webp')).toBeDefined()
  })

  it('stays within its size limit by removing the least recently used files', async () => {
    const cache = open(5000)
    for (const name of ['aa-1', 'ab-2', 'ac-3', 'ad-4', 'ae-5']) {
      await cache.write(name, KILOBYTE)
      now += HOUR
    }
    expect(await names()).toHaveLength(5)
    await cache.read('aa-1')
    now += HOUR
    await cache.write('af-6', KILOBYTE)
    expect(await names()).toEqual(['aa-1', 'ad-4', 'ae-5', 'af-6'])
  })

  it('knows the order of use after a restart', async () => {
    const before = open(5000)
    for (const name of ['aa-1', 'ab-2', 'ac-3', 'ad-4']) {
      await before.write(name, KILOBYTE)
      now += HOUR
    }
    await before.read('aa-1')
    now += HOUR
    const after = open(3000)
    await after.write('ae-5', KILOBYTE)
    expect(await names()).toEqual(['aa-1', 'ae-5'])
  })

  it('enforces a lower limit than before, also on files that others wrote', async () => {
    await open(100_000).write('aa-1', Buffer.alloc(20_000))
    now += HOUR
    const other = open(5000)
    await other.write('ab-2', KILOBYTE)
    expect(await names()).toEqual(['ab-2'])
  })

  it('stores nothing under a name that leads out of its folder', async () => {
    await expect(open(1000).read('../../etc/passwd')).rejects.toThrow('outside')
  })

  it('fails to write if a file is in place of its folder, and leaves nothing behind', async () => {
    await writeFile(join(folder, 'aa'), 'no folder')
    await expect(open(1000).write('aa-1', KILOBYTE)).rejects.toThrow('EEXIST')
    expect(await open(1000).read('aa-1')).toBeUndefined()
  })

  it('lets one process at a time claim a name', async () => {
    const one = open(1000)
    const other = open(1000)
    const release = await one.claim('aa-1')
    expect(await other.claim('aa-1')).toBe('taken')
    if (release !== 'taken') await release()
    expect(await other.claim('aa-1')).toBeTypeOf('function')
  })
})
