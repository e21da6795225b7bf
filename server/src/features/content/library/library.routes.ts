import { bundledLanguage, type Language } from '@ondine/contract/languages'
import { type ImportItem, importProgress } from '@ondine/contract/library'
import { ServiceError } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { REASONS } from '../../../ingest/reasons.ts'
import type { ImportRow } from './library.repository.ts'
import { readProgress } from './library.service.ts'

/** Titles that are still being generated and will then be imported, such as those of the demonstration. */
export interface Coming {
  coming(): ImportItem[]
  /** Returns the seconds until all titles are generated; null while unknown. */
  secondsLeft(): number | null
}

export function registerLibrary(on: On, { coming, secondsLeft }: Coming): void {
  on(
    importProgress,
    async (_input, { db, storefront, language }) => {
      // Everybody may see the imports of the demonstration. The imports of every other library are private.
      if (!storefront.demonstration) throw new ServiceError('forbidden')
      const { items, ...progress } = await readProgress(db)
      const more = coming()
      const total = progress.total + more.length
      return {
        running: progress.running || more.length > 0,
        ready: progress.ready,
        total,
        percent: total === 0 ? progress.percent : (progress.percent * progress.total) / total,
        secondsLeft: longest(progress.secondsLeft, more.length > 0 ? secondsLeft() : null),
        items: [...items.map((row) => presentImport(row, language)), ...more],
      }
    },
    { sharedAmongVisitors: true },
  )
}

/** Returns the longer of two remaining times, because titles are generated and imported at the same time. */
function longest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.max(a, b)
}

function presentImport(row: ImportRow, language: Language): ImportItem {
  return {
    id: row.id,
    title: row.title,
    kind: row.kind,
    state: row.state,
    percent: row.percent,
    secondsLeft: row.secondsLeft,
    reason: row.reason === null ? null : REASONS[row.reason.code][bundledLanguage(language)],
  }
}
