import { basename } from 'node:path'
import { type GuideSource, guideSource } from '@ondine/contract/import-sources'
import type { Context } from '../../../context.ts'
import { type Command, CommandError, type CommandInput } from '../../../control/commands.ts'
import { readTextFile } from '../../../control/read-text-file.ts'
import { plainIssue } from '../../../plain-issue.ts'
import {
  describedSource,
  findGuideSource,
  type GuideSourceRow,
  guideFailure,
  listGuideSources,
  putGuideSource,
  removeGuideSource,
  runGuideSource,
} from './guide-sources.service.ts'
import { describeRun } from './import-runs.service.ts'
import { ImportSourceError } from './import-sources.service.ts'

type Control = Parameters<Command['run']>[2]

const DESCRIPTION_OPTIONS = [
  { flags: '--time-zone <name>', summary: 'time zone of times without one, such as Europe/Paris' },
  {
    flags: '--language <code>',
    summary: 'three-letter code of the language of texts that do not name theirs',
  },
  { flags: '--unrated <level>', summary: '0 to 6: level of programmes without a rating (6)' },
  {
    flags: '--priority <number>',
    summary:
      '0 to 100 (50): of several sources of a channel the highest has precedence, and the others fill its gaps',
  },
  {
    flags: '--map <file>',
    summary: 'JSON that maps ids of the guide to channels: {"id": "guide id, name or number"}',
    isPath: true,
  } as const,
]

/** The command `guide import`: imports a guide now. */
export const importGuideCommand: Command = {
  name: 'guide import',
  summary: 'Import a guide (XMLTV, also .gz) from a file or an address; run it again to import changes.',
  arguments: [{ name: 'guide', summary: 'the file or the address', isPath: true }],
  options: [
    { flags: '--name <name>', summary: 'name of the source; by default that of the file' },
    ...DESCRIPTION_OPTIONS,
  ],
  run: async (context, input, control) => {
    const {
      arguments: [location = ''],
      options,
    } = input
    const name =
      typeof options.name === 'string' ? options.name : basename(location).replace(/\.(xml|xmltv|gz)/gi, '')
    const isNew = (await findGuideSource(context, name)) === undefined
    const source = await put(context, name, location, input)
    try {
      await take(context, source, control)
    } catch (error) {
      // A mistyped path must not leave a source behind. An interrupted import has written a part of the guide.
      if (isNew && error instanceof CommandError && !control.signal.aborted)
        await removeGuideSource(context, name)
      throw error
    }
  },
}

/** The command `guide sources add`. */
export const addGuideSourceCommand: Command = {
  name: 'guide sources add',
  summary:
    'Store the source of a guide that is imported repeatedly; an existing source of that name is changed.',
  arguments: [
    { name: 'name', summary: 'a name for the source' },
    { name: 'guide', summary: 'its file or address', isPath: true },
  ],
  options: [
    {
      flags: '--cron <expression>',
      summary: 'when to import it, in UTC: "15 3 * * *" is every night; "never" to import it on request only',
    },
    ...DESCRIPTION_OPTIONS,
  ],
  run: async (context, input, { report }) => {
    const {
      arguments: [name = '', location = ''],
    } = input
    const { cron } = await put(context, name, location, input)
    report({
      text:
        cron === null
          ? `Stored ${name}. \`guide sources run ${name}\` imports it.`
          : `Stored ${name}; it is imported by ${cron}, in UTC.`,
    })
  },
}

/** The command `guide sources list`. */
export const listGuideSourcesCommand: Command = {
  name: 'guide sources list',
  summary: 'Show the sources of guides with the result of their last import.',
  arguments: [],
  run: async (context, _input, { report }) => {
    for (const { name, location, cron, timeZone, priority, run } of await listGuideSources(context)) {
      report({ text: `${name}: ${location} (${timeZone}, ${cron ?? 'on request'}, priority ${priority})` })
      report({ text: `  ${describeRun(run)}` })
    }
  },
}

/** The command `guide sources remove`. */
export const removeGuideSourceCommand: Command = {
  name: 'guide sources remove',
  summary: 'Delete a source and its programmes.',
  arguments: [{ name: 'name', summary: 'a name that `guide sources list` shows' }],
  run: async (context, { arguments: [name = ''] }, { report }) => {
    if (!(await removeGuideSource(context, name))) throw new CommandError(`There is no source ${name}.`)
    report({ text: `Removed ${name}.` })
  },
}

/** The command `guide sources run`. */
export const runGuideSourceCommand: Command = {
  name: 'guide sources run',
  summary: 'Import a source now.',
  arguments: [{ name: 'name', summary: 'a name that `guide sources list` shows' }],
  run: async (context, { arguments: [name = ''] }, control) => {
    const source = await findGuideSource(context, name)
    if (!source) throw new CommandError(`There is no source ${name}.`)
    await take(context, source, control)
  },
}

async function put(
  context: Context,
  name: string,
  location: string,
  { options }: CommandInput,
): Promise<GuideSourceRow> {
  const known = await findGuideSource(context, name)
  const said: Partial<Record<keyof GuideSource, unknown>> = {
    ...(typeof options.timeZone === 'string' && { timeZone: options.timeZone }),
    ...(typeof options.language === 'string' && { language: options.language }),
    ...(typeof options.unrated === 'string' && { unratedLevel: Number(options.unrated) }),
    ...(typeof options.priority === 'string' && { priority: Number(options.priority) }),
    ...(typeof options.cron === 'string' && { cron: options.cron === 'never' ? null : options.cron }),
    ...(typeof options.map === 'string' && { mapping: await readMapping(options.map) }),
  }
  const parsed = guideSource.safeParse(
    { ...(known && describedSource(known)), ...said, name, location },
    { error: plainIssue },
  )
  if (!parsed.success)
    throw new CommandError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    )
  try {
    return await putGuideSource(context, parsed.data)
  } catch (error) {
    throw error instanceof ImportSourceError ? new CommandError(error.message) : error
  }
}

async function readMapping(path: string): Promise<unknown> {
  const text = await readTextFile(path)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CommandError(`${path} is not a JSON file.`, { cause: error })
  }
}

async function take(context: Context, source: GuideSourceRow, { signal, report }: Control): Promise<void> {
  try {
    let said = -1
    const done = await runGuideSource(context, source, {
      signal,
      onProgress: (text, percent) => {
        if (Math.floor(percent) === said) return
        said = Math.floor(percent)
        report({ text, percent })
      },
    })
    for (const { line, reason } of done.remarks) report({ text: `line ${line}: ${reason}` })
    report({
      text: `${done.channels} channels; ${done.added} programmes added, ${done.changed} changed, ${done.unchanged} unchanged, ${done.removed} removed.`,
    })
    report({
      text: `Of ${done.read} read: ${done.refused} refused, ${done.doubles} duplicates, ${done.overlaps} overlaps cut, ${done.openEnds} ends completed, ${done.gaps} gaps, ${done.outside} outside the days that are kept, ${done.outranked} outranked by another source, ${done.unknownChannels} channels unknown.`,
    })
  } catch (error) {
    const failure = guideFailure(error)
    throw failure === undefined ? error : new CommandError(`${failure} The guide stays as it was.`)
  }
}
