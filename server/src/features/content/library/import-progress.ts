import type { Database } from '../../../database/connection.ts'
import { countImports, type ImportRow, listImports } from './library.repository.ts'

/** Most entries of each kind that a list shows. */
const LISTED = 50

/** Progress of all imports on the list. */
export interface ImportProgress {
  /** Whether an import is running or waiting. */
  running: boolean
  ready: number
  total: number
  /** Of all imports that are ready, waiting or running, 0 to 100. */
  percent: number
  secondsLeft: number | null
  /** Running, then waiting, then ended imports, the latest first. */
  items: ImportRow[]
}

export async function readProgress(db: Database): Promise<ImportProgress> {
  const { states, meanSeconds } = await countImports(db)
  const items = await listImports(db, LISTED)
  const { ready = 0, failed = 0, cancelled = 0, waiting = 0, ...active } = states
  const underWay = Object.values(active).reduce((sum, count) => sum + count, 0)
  const total = ready + waiting + underWay
  const begun = items.slice(0, underWay)
  const share = begun.reduce((sum, { percent }) => sum + percent / 100, 0)
  const current = begun.reduce<number | null>(
    (most, { secondsLeft }) => (secondsLeft === null ? most : Math.max(most ?? 0, secondsLeft)),
    null,
  )
  const secondsLeft =
    waiting === 0 ? current : meanSeconds === null ? null : (current ?? meanSeconds) + waiting * meanSeconds
  return {
    running: waiting + underWay > 0,
    ready,
    total: total + failed + cancelled,
    percent: total === 0 ? 100 : ((ready + share) / total) * 100,
    secondsLeft: secondsLeft === null ? null : Math.round(secondsLeft),
    items,
  }
}
