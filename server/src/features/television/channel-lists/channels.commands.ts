import { basename } from 'node:path'
import { channelList } from '@ondine/contract/import-sources'
import type { Context } from '../../../context.ts'
import { type Command, CommandError, type CommandInput } from '../../../control/commands.ts'
import { readTextFile } from '../../../control/read-text-file.ts'
import { isAddress } from '../../../outbound/open-source.ts'
import { plainIssue } from '../../../plain-issue.ts'
import { describeRun } from '../guide-import/import-runs.service.ts'
import { ImportSourceError } from '../guide-import/import-sources.service.ts'
import { ChannelFileError, importChannels } from '../schedule/channel-import.service.ts'
import { requestSchedules } from '../schedule/schedule.service.ts'
import {
  countOfList,
  findChannelList,
  type ListRow,
  listChannelLists,
  putChannelList,
  removeChannelList,
  removeChannels,
} from './channel-lists.service.ts'
import {
  type ChannelChange,
  ChannelChangeError,
  changeChannel,
  countOpenRecordings,
  findRemovable,
  listAllChannels,
  listFailure,
  runList,
} from './lists.service.ts'
import { ListRemovedError } from './store-list.ts'

type Control = Parameters<Command['run']>[2]

const DEFAULTS_OPTIONS = [
  { flags: '--free', summary: 'its new channels play for every account' },
  { flags: '--package <key>', summary: 'its new channels are sold in this package' },
  { flags: '--level <level>', summary: '0 to 6: the rating of its new channels' },
  { flags: '--first-number <number>', summary: 'first number for channels whose list gives none' },
]

/** The command `channels import`: imports a channel list (M3U) or a `channels.json`. */
export const importChannelsCommand: Command = {
  name: 'channels import',
  summary:
    'Import a list of channels (M3U), or channels that play titles of the library; run it again to import changes.',
  arguments: [
    {
      name: 'list',
      summary: "file or address of an M3U, or a channels.json such as the demonstration's",
      isPath: true,
    },
  ],
  options: [
    {
      flags: '--name <name>',
      summary: 'name of the list, by default that of the file; an existing list of that name is changed',
    },
    ...DEFAULTS_OPTIONS,
  ],
  run: async (context, input, control) => {
    const {
      arguments: [location = ''],
      options: { name },
    } = input
    if (!isAddress(location) && (await isObject(location)))
      return await takeLibraryChannels(context, location, control)
    const called = typeof name === 'string' ? name : basename(location).replace(/\.(m3u8?|gz)/gi, '')
    await takeList(context, await putList(context, called, location, input), control)
  },
}

export const addChannelListCommand: Command = {
  name: 'channels lists add',
  summary:
    'Store a list of channels (M3U) that is imported repeatedly; an existing list of that name is changed.',
  arguments: [
    { name: 'name', summary: 'a name for the list' },
    { name: 'list', summary: 'its file or address', isPath: true },
  ],
  options: [
    {
      flags: '--cron <expression>',
      summary: 'when to import it, in UTC: "45 2 * * *" is every night; "never" to import it on request only',
    },
    ...DEFAULTS_OPTIONS,
  ],
  run: async (context, input, { report }) => {
    const {
      arguments: [name = '', location = ''],
    } = input
    const { cron } = await putList(context, name, location, input)
    report({
      text:
        cron === null
          ? `Stored ${name}. \`channels lists run ${name}\` imports it.`
          : `Stored ${name}; it is imported by ${cron}, in UTC.`,
    })
  },
}

export const listChannelListsCommand: Command = {
  name: 'channels lists list',
  summary: 'Show the lists of channels with the result of their last import.',
  arguments: [],
  run: async (context, _input, { report }) => {
    for (const { name, location, cron, run } of await listChannelLists(context)) {
      report({ text: `${name}: ${location} (${cron ?? 'on request'})` })
      report({ text: `  ${describeRun(run)}` })
    }
  },
}

export const runChannelListCommand: Command = {
  name: 'channels lists run',
  summary: 'Import a list of channels now.',
  arguments: [{ name: 'name', summary: 'a name that `channels lists list` shows' }],
  run: async (context, { arguments: [name = ''] }, control) => {
    const list = await findChannelList(context, name)
    if (!list) throw new CommandError(`There is no list ${name}.`)
    await takeList(context, list, control)
  },
}

export const removeChannelListCommand: Command = {
  name: 'channels lists remove',
  summary: 'Permanently delete a list and its channels, with their recordings.',
  arguments: [{ name: 'name', summary: 'a name that `channels lists list` shows' }],
  options: [
    { flags: '--yes', summary: 'delete recordings and events too; without it, the command only counts them' },
  ],
  run: async (context, { arguments: [name = ''], options: { yes } }, { report }) => {
    const { channels, recorded, events } = await countOfList(context.db, name)
    if (recorded + events > 0 && yes !== true) {
      report({
        text: `Found ${name}. Channels: ${channels}, recorded programmes: ${recorded}, events: ${events}. --yes deletes them. This cannot be undone.`,
      })
      return
    }
    const gone = await removeChannelList(context, name)
    if (gone === undefined) throw new CommandError(`There is no list ${name}.`)
    report({ text: `Removed ${name}. Channels removed: ${gone}.` })
  },
}

export const listChannelsCommand: Command = {
  name: 'channels list',
  summary: 'Show all channels: number, name, kind, and whether viewers see them.',
  arguments: [],
  run: async (context, _input, { report }) => {
    for (const channel of await listAllChannels(context)) {
      const { number, name, kind, state, looksLikeTransportStream, guideId, address } = channel
      const details = [
        kind,
        state,
        looksLikeTransportStream &&
          `seems to send MPEG-TS: receive it with \`inputs add ${number} --record\``,
        guideId && `guide ${guideId}`,
        address,
      ].filter((each) => each)
      report({ text: `${number > 0 ? number : '-'} ${name} (${details.join(', ')})` })
    }
  },
}

/** The command `channels set`: sets properties of a channel. Imports no longer change these properties. */
export const setChannelCommand: Command = {
  name: 'channels set',
  summary: "Set a channel's properties; imports no longer change them.",
  arguments: [{ name: 'number', summary: 'its number, as `channels list` shows it' }],
  options: [
    { flags: '--name <name>', summary: 'name that viewers read' },
    { flags: '--number <number>', summary: 'another number' },
    { flags: '--guide-id <id>', summary: 'its id in guides' },
    { flags: '--genre <genre>', summary: 'its main genre' },
    { flags: '--level <level>', summary: '0 to 6: its rating' },
    { flags: '--free <yes|no>', summary: 'whether it plays for every account' },
    { flags: '--radio <yes|no>', summary: 'whether it is a radio' },
    {
      flags: '--time-shift <seconds>',
      summary: 'how far viewers may go back: 0 for not at all, "" for the storefront\'s setting',
    },
    { flags: '--on <yes|no>', summary: 'whether viewers see it' },
  ],
  run: async (context, { arguments: [number = ''], options }, { report }) => {
    try {
      const at = wholeOf('number', number)
      const change = changeOf(options)
      const name = await changeChannel(context, at, change)
      report({ text: `Set ${name}.` })
      const open = change.enabled === false ? await countOpenRecordings(context, change.number ?? at) : 0
      if (open > 0)
        report({
          text: `Programmes of it that viewers record and that are not over: ${open}. What is broadcast while it is off will be missing. \`--on yes\` switches it on again.`,
        })
    } catch (error) {
      throw error instanceof ChannelChangeError ? new CommandError(error.message) : error
    }
  },
}

/** The command `channels unset`: lets imports change all properties of a channel again. */
export const unsetChannelCommand: Command = {
  name: 'channels unset',
  summary: "Let the next import of its list set a channel's properties again.",
  arguments: [{ name: 'number', summary: 'its number' }],
  run: async (context, { arguments: [number = ''] }, { report }) => {
    try {
      const name = await changeChannel(context, wholeOf('number', number), null)
      report({ text: `The next import of its list sets ${name} again.` })
    } catch (error) {
      throw error instanceof ChannelChangeError ? new CommandError(error.message) : error
    }
  },
}

/** The command `channels remove`: deletes a channel that is in no list. */
export const removeChannelCommand: Command = {
  name: 'channels remove',
  summary: 'Permanently delete a channel of a channels.json or of `inputs add`, with its recordings.',
  arguments: [{ name: 'number', summary: 'its number, as `channels list` shows it' }],
  options: [{ flags: '--yes', summary: 'delete it; without it, the command shows what it would delete' }],
  run: async (context, { arguments: [number = ''], options: { yes } }, { report }) => {
    try {
      const { id, name, recorded, events } = await findRemovable(context, wholeOf('number', number))
      if (yes !== true) {
        report({
          text: `Found ${name}. Recorded programmes: ${recorded}, events: ${events}. --yes deletes it. This cannot be undone.`,
        })
        return
      }
      await removeChannels(context.db, [id])
      report({ text: `Removed ${name}.` })
    } catch (error) {
      throw error instanceof ChannelChangeError ? new CommandError(error.message) : error
    }
  },
}

async function isObject(path: string): Promise<boolean> {
  return (await readTextFile(path, { first: 1000 })).trimStart().startsWith('{')
}

async function takeLibraryChannels(context: Context, path: string, { report }: Control): Promise<void> {
  try {
    const { channelIds, faults } = await importChannels(context, path)
    for (const { channel, reason } of faults) report({ text: `${channel}: ${reason}` })
    await requestSchedules(context)
    report({
      text: `${channelIds.length} channels imported; they go on air as soon as their titles are ready.`,
    })
  } catch (error) {
    if (error instanceof ChannelFileError) throw new CommandError(error.message)
    throw error
  }
}

async function putList(
  context: Context,
  name: string,
  location: string,
  { options }: CommandInput,
): Promise<ListRow> {
  const { level, firstNumber, cron } = options
  const known = await findChannelList(context, name)
  const parsed = channelList.safeParse(
    {
      name,
      location,
      cron: typeof cron === 'string' ? (cron === 'never' ? null : cron) : (known?.cron ?? null),
      defaults: {
        ...(options.free === true && { free: true }),
        ...(typeof options.package === 'string' && { package: options.package }),
        ...(typeof level === 'string' && { moralityLevel: levelOf(level) }),
        ...(typeof firstNumber === 'string' && { firstNumber: wholeOf('--first-number', firstNumber) }),
      },
    },
    { error: plainIssue },
  )
  if (!parsed.success)
    throw new CommandError(
      parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'),
    )
  try {
    return await putChannelList(context, parsed.data)
  } catch (error) {
    throw error instanceof ImportSourceError ? new CommandError(error.message) : error
  }
}

async function takeList(context: Context, list: ListRow, { signal, report }: Control): Promise<void> {
  try {
    let said = -1
    const done = await runList(context, list, {
      signal,
      onProgress: (text, percent) => {
        if (Math.floor(percent) === said) return
        said = Math.floor(percent)
        report({ text, percent })
      },
    })
    for (const { line, reason } of done.refused) report({ text: `left out: line ${line}: ${reason}` })
    for (const { line, reason } of done.mended) report({ text: `line ${line}: ${reason}` })
    report({
      text: `${done.added} channels added, ${done.changed} changed, ${done.unchanged} unchanged, ${done.gone} gone, ${done.refused.length} lines left out.`,
    })
    if (done.live > 0)
      report({
        text: `${done.live} of them are live inputs. They play once \`inputs add\` gives them an input.`,
      })
    for (const guide of done.guides) report({ text: `The list names a guide: ondine guide import ${guide}` })
  } catch (error) {
    const failure = listFailure(error)
    if (failure === undefined) throw error
    throw new CommandError(
      error instanceof ListRemovedError ? failure : `${failure} The channels stay as they were.`,
    )
  }
}

function changeOf(options: CommandInput['options']): ChannelChange {
  const { name, number, guideId, genre, level, free, radio, timeShift, on } = options
  return {
    ...(typeof name === 'string' && { names: { fra: name, eng: name } }),
    ...(typeof number === 'string' && { number: wholeOf('--number', number) }),
    ...(typeof guideId === 'string' && { guideId: guideId || null }),
    ...(typeof genre === 'string' && { mainGenre: genre }),
    ...(typeof level === 'string' && { moralityLevel: levelOf(level) }),
    ...(free !== undefined && { free: isYes('--free', free) }),
    ...(radio !== undefined && { radio: isYes('--radio', radio) }),
    ...(typeof timeShift === 'string' && {
      timeshiftSeconds: timeShift === '' ? null : wholeOf('--time-shift', timeShift, 0),
    }),
    ...(on !== undefined && { enabled: isYes('--on', on) }),
  }
}

function isYes(option: string, value: string | boolean): boolean {
  if (value === 'yes') return true
  if (value === 'no') return false
  throw new CommandError(`${option} must be yes or no.`)
}

function levelOf(value: string): number {
  if (!/^[0-6]$/.test(value)) throw new CommandError('--level is 0 to 6.')
  return Number(value)
}

function wholeOf(what: string, value: string, least = 1): number {
  if (!/^\d{1,6}$/.test(value) || Number(value) < least)
    throw new CommandError(`${what} is a whole number, ${least} or more.`)
  return Number(value)
}
