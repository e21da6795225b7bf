import { appendFileSync, close, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Timed } from './announced.ts'

/** A programme that waits to be written. */
export interface Spooled extends Timed {
  /** The source's own id of it. */
  universalId: string | null
  /** What it is, as JSON with the names of the columns: text from here to the database, which nobody on the way takes apart. */
  columns: string
}

/**
 * Keeps what a guide says on disk until all of it has been read: files mix channels in any order and have any size, and the old guide
 * stands until the new one is complete. What lies here belongs to one import, and goes with it, even if that is killed.
 */
export interface Spool {
  add(channelId: number, programme: Spooled): void
  /** What was added, a channel at a time. It can be read once, after everything was added. */
  channels(): Iterable<{ channelId: number; announced: Spooled[] }>
  /** Gives the files back to the system, which takes its time with large ones. */
  close(): Promise<void>
}

/** Channels share files, so that any number of them needs few; what one file holds is in memory at once. */
const FILES = 64
/** Characters that wait to be written: few enough to be gone before they count as old. */
const WAITING = 300_000
const closed = promisify(close)

export async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-guide-'))
  const files = Array.from({ length: FILES }, (_, index) => {
    const path = join(folder, String(index))
    return { into: openSync(path, 'wx', 0o600), from: openSync(path, 'r'), waiting: [] as string[] }
  })
  // What is open needs no name: the system takes it back however the process ends.
  await rm(folder, { recursive: true })
  let waiting = 0

  function flush(): void {
    for (const file of files) {
      if (file.waiting.length > 0) appendFileSync(file.into, file.waiting.join(''))
      file.waiting = []
    }
    waiting = 0
  }

  return {
    add: (channelId, { line, startsAt, endsAt, universalId, columns }) => {
      // JSON has neither tabs nor ends of lines in it.
      const written = `${channelId}\t${line}\t${startsAt}\t${endsAt ?? ''}\t${JSON.stringify(universalId)}\t${columns}\n`
      files[channelId % FILES]?.waiting.push(written)
      waiting += written.length
      if (waiting > WAITING) flush()
    },
    *channels() {
      flush()
      for (const { from } of files) {
        const byChannel = new Map<number, Spooled[]>()
        for (const written of readFileSync(from, 'utf8').split('\n')) {
          if (written === '') continue
          const [channelId = '', line, startsAt, endsAt, universalId = '', columns = ''] = written.split('\t')
          const programme: Spooled = {
            line: Number(line),
            startsAt: Number(startsAt),
            endsAt: endsAt === '' ? null : Number(endsAt),
            // `add` wrote it.
            universalId: JSON.parse(universalId) as string | null,
            columns,
          }
          const list = byChannel.get(Number(channelId))
          if (list) list.push(programme)
          else byChannel.set(Number(channelId), [programme])
        }
        for (const [channelId, announced] of byChannel) yield { channelId, announced }
      }
    },
    close: async () => {
      await Promise.all(files.flatMap(({ into, from }) => [closed(into), closed(from)]))
    },
  }
}
