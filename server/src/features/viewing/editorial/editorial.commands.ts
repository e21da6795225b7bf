import { isLanguage } from '@ondine/contract/languages'
import { type Command, CommandError } from '../../../control/commands.ts'
import { EditorialImportError, importEditorial } from './editorial-import.service.ts'
import type { Problem } from './find-articles.ts'

/** `editorial import <folder>`: imports a folder of articles and pages. */
export const importEditorialCommand: Command = {
  name: 'editorial import',
  summary: 'Import a folder of Markdown articles and pages; run it again to import changes.',
  arguments: [
    { name: 'folder', summary: 'Markdown files with front matter, pictures beside them', isPath: true },
  ],
  options: [
    { flags: '--storefront <apiKey>', summary: 'storefront of the texts, by default the first one' },
    {
      flags: '--language <code>',
      summary: 'language of files that do not name theirs: a three-letter code, such as fra or eng',
      default: 'fra',
    },
  ],
  run: async (context, { arguments: [folder = ''], options }, { signal, report }) => {
    const { language, storefront: apiKey } = options
    if (typeof language !== 'string' || !isLanguage(language))
      throw new CommandError('--language is the three-letter code of a language, such as fra.')
    const storefront = context.storefronts.of(typeof apiKey === 'string' ? apiKey : undefined)
    if (storefront === undefined) throw new CommandError(`There is no storefront with the api key ${apiKey}.`)
    try {
      const done = await importEditorial(context, folder, {
        storefront,
        signal,
        language,
        onProgress: ({ done, total, title }) =>
          report({
            text: title === '' ? `${done} of ${total} texts` : `${done} of ${total} texts, now ${title}`,
            percent: total === 0 ? 100 : (100 * done) / total,
          }),
      })
      for (const problem of done.problems) report({ text: `left out: ${worded(problem)}` })
      for (const warning of done.warnings) report({ text: `note: ${worded(warning)}` })
      const { added, updated, unchanged, withdrawn, problems } = done
      report({
        text: `${added} texts added, ${updated} updated, ${unchanged} unchanged, ${withdrawn} withdrawn, ${problems.length} problems.`,
      })
    } catch (error) {
      if (error instanceof EditorialImportError) throw new CommandError(error.message)
      throw error
    }
  },
}

function worded({ file, line, reason }: Problem): string {
  return `${line === undefined ? file : `${file}, line ${line}`}: ${reason}`
}
