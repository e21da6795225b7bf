import { appendFileSync, close, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Timed } from './announced.ts'

/** A programme in the spool. */
interface Spooled extends Timed {
  /** Id of the programme at the source; null if the source gives none. */
  universalId: string | null
  /** JSON object with the other columns of the programme, as text. Only the database parses it. */
  columns: string
}

/**
 * Stores a guide in temporary files until all of it has been read. This is needed because guides contain their
 * channels in any order and can have any size, and the old guide stays until the new guide is complete. The files
 * belong to one import, and disappear with it even if the process is killed.
 */
export interface Spool {
  add(channelId: number, programme: Spooled): void
  /** Returns the added programmes, one channel at a time. Call this only once, after all programmes were added. */
  channels(): Iterable<{ channelId: number; announced: Spooled[] }>
  /** Closes the files. Waits, because the system needs some time to free large files. */
  close(): Promise<void>
}

/**
 * Number of files. Channels are distributed over the files by id. Only the content of one file is in memory at a
 * time.
 */
const FILES = 64
/** Size of a file's buffer in bytes. Programmes are encoded into it at once, so they leave no strings in the heap. */
const BUFFER = 64 * 1024
/** Maximum number of bytes of a character (a UTF-16 code unit) in UTF-8. */
const LONGEST_CHARACTER = 3
const closed = promisify(close)

export async function openSpool(): Promise<Spool> {
  const folder = await mkdtemp(join(tmpdir(), 'ondine-guide-'))
  const files = Array.from({ length: FILES }, (_, index) => {
    const path = join(folder, String(index))
    return {
      into: openSync(path, 'wx', 0o600),
      from: openSync(path, 'r'),
      buffer: Buffer.allocUnsafe(BUFFER),
      used: 0,
    }
  })
  // Unlink the open files at once. The system then frees them when the process ends in any way.
  await rm(folder, { recursive: true })

  function flush(file: (typeof files)[number]): void {
    appendFileSync(file.into, file.buffer.subarray(0, file.used))
    file.used = 0
  }

  return {
    add: (channelId, { line, startsAt, endsAt, universalId, columns }) => {
      // Tabs and line breaks are safe separators: the JSON texts contain them only in escaped form.
      const written = `${channelId}\t${line}\t${startsAt}\t${endsAt ?? ''}\t${JSON.stringify(universalId)}\t${columns}\n`
      const file = files[channelId % FILES]
      if (!file) return
      const most = written.length * LONGEST_CHARACTER
      if (file.used + most > BUFFER) flush(file)
      if (most > BUFFER) appendFileSync(file.into, written)
      else file.used += file.buffer.write(written, file.used)
    },
    *channels() {
      for (const file of files) {
        const { from } = file
        flush(file)
        const byChannel = new Map<number, Spooled[]>()
        for (const written of readFileSync(from, 'utf8').split('\n')) {
          if (written === '') continue
          const [channelId = '', line, startsAt, endsAt, universalId = '', columns = ''] = written.split('\t')
          const programme: Spooled = {
            line: Number(line),
            startsAt: Number(startsAt),
            endsAt: endsAt === '' ? null : Number(endsAt),
            // The cast is safe, because `add` wrote this value.
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
