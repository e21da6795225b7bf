import { isLanguage } from '@ondine/contract/languages'
import { type Command, CommandError } from '../../../control/commands.ts'
import { REASONS, type Reason } from '../../../ingest/reasons.ts'
import { cancelImport, countImports, failAsset, listImports } from './library.repository.ts'
import {
  importLibrary,
  LibraryError,
  leftOutOf,
  MOST_LISTED,
  type Obstacle,
  remarksOn,
} from './library.service.ts'

/** `import <folder>`: imports a folder of films and series. */
export const importCommand: Command = {
  name: 'import',
  summary: 'Import a folder of films and series into the library; run it again to import changes.',
  arguments: [{ name: 'folder', summary: 'a folder with names as for Kodi or Jellyfin', isPath: true }],
  options: [
    {
      flags: '--language <code>',
      summary: 'language of its metadata: a three-letter code, such as fra or eng',
      default: 'fra',
    },
  ],
  run: async (context, { arguments: [folder = ''], options }, { signal, report }) => {
    const { language } = options
    if (typeof language !== 'string' || !isLanguage(language))
      throw new CommandError('--language is the three-letter code of a language, such as fra.')
    // Of the same reason, only the first file is reported.
    const told = new Set<Reason>()
    try {
      const done = await importLibrary(context, folder, {
        signal,
        language,
        onProgress: ({ title, percent, secondsLeft, ready, total, postponed }) => {
          if (postponed && !told.has(postponed.reason)) {
            told.add(postponed.reason)
            report({ text: `waiting: ${postponed.source}: ${explained(postponed)}` })
          }
          report({
            text:
              title === null
                ? `${ready} of ${total} prepared`
                : `${ready} of ${total} prepared, now ${title}`,
            percent,
            ...(secondsLeft === null ? {} : { secondsLeft }),
          })
        },
      })
      for (const { path, line, reason } of [...done.problems, ...done.leftOut]) {
        report({ text: leftOut(path, line, reason) })
      }
      for (const { path, reason } of done.remarks) report({ text: `${path}: ${reason}` })
      for (const failed of done.failed) {
        report({ text: `not imported: ${failed.source}: ${explained(failed)}` })
      }
      if (done.films + done.episodes + done.problems.length === 0)
        throw new CommandError(
          `There is no film or episode in ${folder}. Names are as for Kodi and Jellyfin: "La Houle (2026)/La Houle (2026).mkv".`,
        )
      report({
        text: `${done.films} films and ${done.episodes} episodes; ${done.ready} files prepared, ${done.failed.length} not imported, ${done.withdrawn} titles withdrawn.`,
      })
    } catch (error) {
      if (error instanceof LibraryError) throw new CommandError(error.message)
      throw error
    }
  },
}

/** `imports list`: shows running, waiting and failed imports. */
export const listImportsCommand: Command = {
  name: 'imports list',
  summary: 'Show what is being prepared, what is waiting, and what was not imported.',
  arguments: [],
  run: async ({ db }, _input, { report }) => {
    const rows = await listImports(db, MOST_LISTED)
    if (rows.length === 0) report({ text: 'There are no imports. To begin one: import <folder>' })
    for (const row of rows) {
      const { id, state, percent, title, source, reason } = row
      const why = reason === null ? '' : ` ${explained({ reason: reason.code, detail: reason.detail })}`
      report({ text: `${id} ${state} ${percent.toFixed(0)} % ${title} (${source})${why}` })
      for (const { path, line, reason: fault } of leftOutOf(row)) report({ text: leftOut(path, line, fault) })
      for (const { path, reason: remark } of remarksOn(row)) report({ text: `${path}: ${remark}` })
    }
    const { waiting = 0 } = (await countImports(db)).states
    if (waiting > MOST_LISTED) report({ text: `Not shown: ${waiting - MOST_LISTED} more that wait.` })
  },
}

/** `imports cancel <id>`: cancels an import. */
export const cancelImportCommand: Command = {
  name: 'imports cancel',
  summary: 'Stop preparing a file; importing its folder again starts over.',
  arguments: [{ name: 'id', summary: 'its number, as `imports list` shows it' }],
  run: async ({ db, clock }, { arguments: [id = ''] }, { report }) => {
    if (!/^[1-9]\d{0,8}$/.test(id)) throw new CommandError(`${id} is not the number of an import.`)
    const row = await cancelImport(db, Number(id), clock.now())
    if (row === undefined) throw new CommandError(`Import ${id} is neither running nor waiting.`)
    const { target, media } = row.work
    if (media === 'main' && 'asset' in target) await failAsset(db, target.asset)
    report({ text: `Cancelled: ${row.title}.` })
  },
}

function leftOut(path: string, line: number | undefined, reason: string): string {
  return `left out: ${line === undefined ? path : `${path}, line ${line}`}: ${reason}`
}

function explained({ reason, detail }: Pick<Obstacle, 'reason' | 'detail'>): string {
  return `${REASONS[reason].eng} ${detail}`.trim()
}
