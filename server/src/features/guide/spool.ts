import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Announced } from './announced.ts'

/**
 * Keeps what a guide says on disk until all of it has been read: files mix channels in any order and have any size, and the old guide
 * stands until the new one is complete. What lies here belongs to one import.
 */
export interface Spool {
  add(channelId: number, announced: Announced): void
  /** What was added, a channel at a time. It can be read once, after everything was added. */
  channels(): Iterable<{ channelId: number; announced: Announced[] }>
  remove(): Promise<void>
}

/** Channels share files, so that any number of them needs few; what one file holds is in memory at once. */
const FILES = 128
/** Characters that wait to be written. */
const WAITING = 4_000_000

export async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-guide-'))
  const files = Array.from({ length: FILES }, (_, index) => {
    const path = join(folder, String(index))
    return { path, open: openSync(path, 'wx', 0o600), waiting: [] as string[] }
  })
  let waiting = 0
  let closed = false

  function flush(): void {
    for (const file of files) {
      if (file.waiting.length > 0) writeSync(file.open, file.waiting.join(''))
      file.waiting = []
    }
    waiting = 0
  }

  function close(): void {
    if (closed) return
    closed = true
    for (const { open } of files) closeSync(open)
  }

  return {
    add: (channelId, announced) => {
      const line = `${channelId} ${JSON.stringify(announced)}\n`
      files[channelId % FILES]?.waiting.push(line)
      waiting += line.length
      if (waiting > WAITING) flush()
    },
    *channels() {
      flush()
      close()
      for (const { path } of files) {
        const byChannel = new Map<number, Announced[]>()
        for (const line of readFileSync(path, 'utf8').split('\n')) {
          if (line === '') continue
          const space = line.indexOf(' ')
          const channelId = Number(line.slice(0, space))
          // `add` wrote it.
          const announced = JSON.parse(line.slice(space + 1)) as Announced
          const list = byChannel.get(channelId)
          if (list) list.push(announced)
          else byChannel.set(channelId, [announced])
        }
        for (const [channelId, announced] of byChannel) yield { channelId, announced }
      }
    },
    remove: async () => {
      close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
