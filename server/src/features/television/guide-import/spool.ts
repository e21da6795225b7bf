import { appendFileSync, close, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Timed } from './announced.ts'

/** Programme that waits to be written. */
export interface Spooled extends Timed {
  /** The source's own id of the programme. */
  universalId: string | null
  /** The programme's columns as JSON text, with column names as keys. Only the database parses the text. */
  columns: string
}

/**
 * Stores a guide on disk until all of it has been read. Guides have their channels in any order and can be of
 * any size, and the old guide is kept until the new guide is complete. The files on disk belong to one import
 * and disappear with it, even if its process is killed.
 */
export interface Spool {
  add(channelId: number, programme: Spooled): void
  /** Returns the added programmes, one channel at a time. Call it once, after everything was added. */
  channels(): Iterable<{ channelId: number; announced: Spooled[] }>
  /** Closes the files. The system needs some time to free large files. */
  close(): Promise<void>
}

/**
 * Number of files. Channels share these files, so more channels do not need more files. Only the content of one
 * file is in memory at a time.
 */
const FILES = 64
/**
 * Characters that are buffered before they are written: few enough that they are freed in the young
 * generation of the heap.
 */
const WAITING = 300_000
const closed = promisify(close)

export async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-guide-'))
  const files = Array.from({ length: FILES }, (_, index) => {
    const path = join(folder, String(index))
    return { into: openSync(path, 'wx', 0o600), from: openSync(path, 'r'), waiting: [] as string[] }
  })
  // Unlinks the open files at once, so that the system frees them however the process ends.
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
      // JSON contains neither raw tabs nor line ends.
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
            // Written by `add`.
            universalId: JSON.parse(universalId) as string | null,
            columns,
          }
          const list = byChannel.get(Number(channelId))
          if (list) list.push(programme)
          else byChannel.set(Number(channelId), [programme])
        }
        for (const [channelId, announced] of byChannel) {
          byChannel.delete(channelId)
          yield { channelId, announced }
        }
      }
    },
    close: async () => {
      await Promise.all(files.flatMap(({ into, from }) => [closed(into), closed(from)]))
    },
  }
}
