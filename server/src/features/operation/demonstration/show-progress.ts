import type { ImportItem } from '@ondine/contract/library'
import type { Context } from '../../../context.ts'
import { readProgress } from '../../content/library/library.service.ts'

/** Polling interval, in milliseconds. */
const LOOK_MS = 2000

/** Shows the progress of the library in the terminal until it is complete. */
export function showProgress(
  { db, log }: Pick<Context, 'db' | 'log'>,
  coming: () => ImportItem[],
  signal: AbortSignal,
): void {
  let shown = ''
  const look = async () => {
    const { ready, total, items, secondsLeft } = await readProgress(db)
    const made = coming()
    const active = [...items, ...made].find(({ state }) => !AT_REST.has(state))
    const line = active
      ? `${active.title}: ${WORDS[active.state] ?? active.state} ${Math.floor(active.percent / 10) * 10} %   (${ready} of ${total + made.length} files ready)`
      : ready > 0 && made.length === 0
        ? `The library is complete: ${ready} files are ready.`
        : shown
    if (line !== shown) console.log(`  ${line}`)
    shown = line
    if (made.length === 0 && secondsLeft === null && !active && ready > 0) clearInterval(timer)
  }
  const timer = setInterval(() => {
    look().catch((error: unknown) =>
      log.warn({ err: error }, 'the progress of the library could not be read'),
    )
  }, LOOK_MS)
  timer.unref()
  signal.addEventListener('abort', () => clearInterval(timer))
}

const AT_REST: ReadonlySet<ImportItem['state']> = new Set(['waiting', 'ready', 'failed', 'cancelled'])

const WORDS: Partial<Record<ImportItem['state'], string>> = {
  making: 'being drawn,',
  probing: 'looked at,',
  encoding: 'encoding,',
  packaging: 'packaging,',
  publishing: 'publishing,',
}
