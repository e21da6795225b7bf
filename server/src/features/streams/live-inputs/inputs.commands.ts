import { stat } from 'node:fs/promises'
import type { Context } from '../../../context.ts'
import { type Command, CommandError, type CommandInput } from '../../../control/commands.ts'
import type { AddressStatus } from '../../inventory/line-up/input-status.ts'
import {
  addLiveChannel,
  findChannelByNumber,
  type KnownInput,
  listInputs,
  putInput,
  removeInput,
} from './live-inputs.repository.ts'

/** A report that is older than this comes from a process that has ended, in milliseconds. */
const OLD_REPORT_MS = 5000

/** `inputs add`. */
export const addInputCommand: Command = {
  name: 'inputs add',
  summary: 'Give a live channel its input, in place of an earlier one.',
  arguments: [
    { name: 'channel', summary: 'number of the channel' },
    {
      name: 'address',
      summary: 'srt://host:port, srt://:port?mode=listener, udp://host:port, or a file that is repeated',
      isPath: true,
    },
  ],
  options: [
    {
      flags: '--spare <address>',
      summary: 'address that takes over while the first is silent',
      isPath: true,
    },
    {
      flags: '--name <name>',
      summary: 'creates the channel with this name, if there is none with the number',
    },
  ],
  run: async (context, { arguments: [number = '', address = ''], options }, { report }) => {
    const { spare } = options
    await requireSource(context, address)
    if (typeof spare === 'string') await requireSource(context, spare)
    const channelId = await liveChannel(context, numberOf(number), options)
    await putInput(context.db, channelId, address, typeof spare === 'string' ? spare : null)
    report({ text: `Channel ${number} receives its input. \`inputs status ${number}\` shows it.` })
  },
}

/** `inputs list`. */
export const listInputsCommand: Command = {
  name: 'inputs list',
  summary: 'Show the inputs of live channels.',
  arguments: [],
  run: async ({ db, clock }, _input, { report }) => {
    const { withoutSecrets } = await import('../../../ingest/live/live-source.ts')
    for (const input of await listInputs(db)) {
      const spare = input.spareAddress === null ? '' : `, spare ${withoutSecrets(input.spareAddress)}`
      const state = stateOf(input, clock.now())
      report({ text: `${input.number} ${input.name}: ${withoutSecrets(input.address)}${spare} (${state})` })
    }
  },
}

/** `inputs status`. */
export const inputStatusCommand: Command = {
  name: 'inputs status',
  summary: 'Show what live inputs receive: bit rates, lost frames, and what is wrong.',
  arguments: [{ name: 'channel', summary: 'number of the channel; all if omitted', optional: true }],
  run: async ({ db, clock }, { arguments: [number] }, { report }) => {
    const wanted = number === undefined ? undefined : numberOf(number)
    const inputs = (await listInputs(db)).filter((input) => wanted === undefined || input.number === wanted)
    if (wanted !== undefined && inputs.length === 0) throw new CommandError(`Channel ${wanted} has no input.`)
    for (const input of inputs) {
      report({ text: `${input.number} ${input.name}: ${stateOf(input, clock.now())}` })
      const { status } = input
      if (!status) continue
      report({ text: `  out: ${rateOf(status.bitsOut)}, ${status.lostSegments} segments lost` })
      report({ text: `  main: ${describeAddress(status.main)}` })
      if (status.spare) report({ text: `  spare: ${describeAddress(status.spare)}` })
      if (status.trouble !== null) report({ text: `  not stored: ${status.trouble}` })
    }
  },
}

/** `inputs remove`. */
export const removeInputCommand: Command = {
  name: 'inputs remove',
  summary: 'Take the input from a live channel. Viewers can still go back in what was received.',
  arguments: [{ name: 'channel', summary: 'number of the channel' }],
  run: async ({ db }, { arguments: [number = ''] }, { report }) => {
    const channel = await findChannelByNumber(db, numberOf(number))
    if (!channel || !(await removeInput(db, channel.id)))
      throw new CommandError(`Channel ${number} has no input.`)
    report({ text: `Channel ${number} has no input any more.` })
  },
}

/** Checks an address, and whether it leads into a private network. @throws CommandError */
async function requireSource({ settings }: Context, address: string): Promise<void> {
  const { hostToCall, readSource, SourceAddressError } = await import('../../../ingest/live/live-source.ts')
  try {
    const source = readSource(address)
    if (source.kind === 'file') await requireFile(source.path)
    const host = hostToCall(source)
    if (host === undefined) return
    const { privateHosts } = await import('../../../outbound/private-hosts.ts')
    if ((await privateHosts([host], settings.OUTBOUND_ALLOW)).size > 0)
      throw new CommandError(`${host} is inside a private network. OUTBOUND_ALLOW can allow it.`)
  } catch (error) {
    throw error instanceof SourceAddressError ? new CommandError(error.message) : error
  }
}

async function requireFile(path: string): Promise<void> {
  const file = await stat(path).catch(() => undefined)
  if (!file) throw new CommandError(`${path} does not exist, or cannot be read.`)
  if (!file.isFile()) throw new CommandError(`${path} is not a file.`)
}

async function liveChannel(
  { db }: Context,
  number: number,
  { name }: CommandInput['options'],
): Promise<number> {
  const channel = await findChannelByNumber(db, number)
  if (!channel) {
    if (typeof name !== 'string' || name.trim() === '')
      throw new CommandError(`There is no channel ${number}. Give a --name to create it.`)
    return await addLiveChannel(db, number, name.trim())
  }
  if (channel.kind !== 'live') {
    const plays =
      channel.kind === 'relay' ? 'relays a stream of another provider' : 'plays titles of the library'
    throw new CommandError(`Channel ${number} ${plays}, so it cannot have an input.`)
  }
  return channel.id
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CommandError('The number of a channel is 1 to 999999.')
  return Number(text)
}

function stateOf({ status }: KnownInput, now: number): string {
  if (!status || now - status.at > OLD_REPORT_MS) return 'no process receives it'
  if (status.active === null) return 'silent'
  const since = status.activeSince === null ? '' : ` since ${new Date(status.activeSince).toISOString()}`
  return `on the air from its ${status.active} address${since}`
}

function describeAddress(address: AddressStatus): string {
  const { bitsIn, heardAt, lostFrames, jumps, silentFrames, restarts, encoded, trouble } = address
  const parts = [
    rateOf(bitsIn),
    heardAt === null ? 'never heard' : `heard ${new Date(heardAt).toISOString()}`,
    `${lostFrames} frames lost`,
    `${jumps} jumps of the clock`,
    `${silentFrames} frames of silence added`,
    `${restarts} restarts`,
    ...encoded.map((kind) => `${kind} is encoded`),
  ]
  return trouble === null ? parts.join(', ') : `${parts.join(', ')}. ${trouble}`
}

function rateOf(bits: number): string {
  return `${(bits / 1_000_000).toFixed(2)} Mbit/s`
}
