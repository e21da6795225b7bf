import { DEFAULT_LANGUAGE } from '@ondine/contract/languages'
import { type Command, CommandError } from '../../../control/commands.ts'
import { textIn } from '../../../metadata/texts.ts'
import { findRecordedTitle, type RecordedTitle, removeRecordedTitle } from './recorded-titles.ts'

/** Maximum number of programmes that the command lists. */
const MOST_LISTED = 20

/**
 * `recordings remove-title <title>`: deletes the recordings of a title whose rights no longer allow recordings.
 */
export const removeRecordedTitleCommand: Command = {
  name: 'recordings remove-title',
  summary:
    'Permanently delete all recordings of a title or a series, when the rights for recordings have ended too.',
  arguments: [
    {
      name: 'title',
      summary: 'whole title of the programme or of its series, in any language, as viewers see it',
    },
  ],
  options: [{ flags: '--yes', summary: 'delete them; without it, the command shows what it would delete' }],
  run: async ({ db }, { arguments: [title = ''], options: { yes } }, { report, signal }) => {
    const found = await findRecordedTitle(db, title)
    const recordings = sum(found.map((programme) => programme.recordings))
    if (found.length === 0) throw new CommandError(`Nobody records ${title}.`)
    const counted = `${recordings} recordings of ${found.length} programmes`
    if (yes !== true) {
      for (const programme of found.slice(0, MOST_LISTED)) report({ text: described(programme) })
      if (found.length > MOST_LISTED) report({ text: `… and ${found.length - MOST_LISTED} programmes more` })
      report({ text: `Found ${counted}. --yes deletes them. This cannot be undone.` })
      return
    }
    const gone = await removeRecordedTitle(
      db,
      found.map(({ id }) => id),
      signal,
    )
    report({ text: `Deleted ${gone} recordings of ${found.length} programmes.` })
  },
}

function described({ titles, channelNames, startsAt, recordings }: RecordedTitle): string {
  const [title, channel] = [titles, channelNames].map((texts) => textIn(texts, DEFAULT_LANGUAGE))
  return `${new Date(startsAt).toISOString()} ${channel}: ${title} (${recordings} recordings)`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0)
}
