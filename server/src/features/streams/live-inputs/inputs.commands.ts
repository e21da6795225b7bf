import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Context } from '../../../context.ts'
import { type Command, CommandError, type CommandInput } from '../../../control/commands.ts'
import { keeperSocketPath } from '../../../control/ownership.ts'
import type { LiveSource } from '../../../ingest/live/live-source.ts'
import type { AddressStatus } from '../../inventory/line-up/input-status.ts'
import { CHANNEL_SOURCE } from '../../inventory/line-up/line-up.table.ts'
import { countOpenRecordings } from '../../television/channel-lists/lists.service.ts'
import {
  addLiveChannel,
  findChannelByNumber,
  type KnownInput,
  listInputs,
  putInput,
  removeInput,
} from './live-inputs.repository.ts'

/** Age from which a report counts as one of a process that has ended, in milliseconds. */
const OLD_REPORT_MS = 5000

const SWITCHED_OFF = 'its channel is switched off, or gone from its list'

/** Maximum number of unused streams that `inputs status` lists for an address. */
const MOST_LEFT = 20

/** `inputs add`. */
export const addInputCommand: Command = {
  name: 'inputs add',
  summary: 'Give a live channel its input, in place of an earlier one.',
  arguments: [
    { name: 'channel', summary: 'number of the channel' },
    {
      name: 'address',
      summary:
        'srt://…, rtmp://:port/application/key, udp://…, rtp://…, http(s)://… (HLS, DASH or MPEG-TS), or a file, which is repeated',
      isPath: true,
      optional: true,
    },
  ],
  options: [
    {
      flags: '--spare <address>',
      summary: 'address that takes over while the first is silent',
      isPath: true,
    },
    {
      flags: '--ladder <heights>',
      summary:
        'heights of the renditions of the picture, such as 1080,720,360. The lower ones are encoded, and a larger picture too',
    },
    {
      flags: '--record',
      summary: 'receives and stores the stream that the channel relays; takes the place of an address',
    },
    {
      flags: '--name <name>',
      summary: 'creates the channel with this name, if there is none with the number',
    },
  ],
  run: async (context, { arguments: [number = '', given], options }, { report }) => {
    const spare = typeof options.spare === 'string' ? options.spare : null
    const isRecorded = options.record === true
    const ladder = await ladderOf(options.ladder)
    if (isRecorded === (given !== undefined)) throw new CommandError('Give an address, or --record.')
    const address = given ?? (await recordableSource(context, numberOf(number)))
    const sources = [await requireSource(context, address)]
    if (spare !== null) sources.push(await requireSource(context, spare))
    await requireFree(context, numberOf(number), sources)
    const channelId = await liveChannel(context, numberOf(number), options)
    await putInput(context.db, channelId, isRecorded ? CHANNEL_SOURCE : address, spare, ladder)
    const input = (await listInputs(context.db, context.clock.now())).find(
      (each) => each.channelId === channelId,
    )
    report({
      text:
        input?.isReceived === false
          ? `Stored the input of channel ${number}. Nothing receives it: ${SWITCHED_OFF}.`
          : `Channel ${number} receives its input. \`inputs status ${number}\` shows it.`,
    })
  },
}

const NO_INPUTS = 'There are no inputs. To add one: inputs add <channel> <address>'

/** `inputs list`. */
export const listInputsCommand: Command = {
  name: 'inputs list',
  summary: 'Show the inputs of live channels.',
  arguments: [],
  run: async ({ db, clock }, _input, { report }) => {
    const { describeSource } = await import('../../../ingest/live/live-source.ts')
    const inputs = await listInputs(db, clock.now())
    if (inputs.length === 0) report({ text: NO_INPUTS })
    for (const input of inputs) {
      const spare = input.spareAddress === null ? '' : `, spare ${describeSource(input.spareAddress)}`
      const state = stateOf(input, clock.now())
      report({ text: `${input.number} ${input.name}: ${describeSource(input.address)}${spare} (${state})` })
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
    const inputs = (await listInputs(db, clock.now())).filter(
      (input) => wanted === undefined || input.number === wanted,
    )
    if (wanted !== undefined && inputs.length === 0) throw new CommandError(`Channel ${wanted} has no input.`)
    if (inputs.length === 0) report({ text: NO_INPUTS })
    const { describeSource } = await import('../../../ingest/live/live-source.ts')
    for (const input of inputs) {
      report({ text: `${input.number} ${input.name}: ${stateOf(input, clock.now())}` })
      const { status, address, spareAddress, ladder } = input
      report({ text: `  receives: ${describeSource(address)}` })
      if (spareAddress !== null) report({ text: `  receives as its spare: ${describeSource(spareAddress)}` })
      if (ladder) report({ text: `  ladder: ${ladder.join(', ')}` })
      if (!status) continue
      report({ text: `  out: ${rateOf(status.bitsOut)}, ${status.lostSegments} segments lost` })
      for (const side of ['main', 'spare'] as const) {
        const address = status[side]
        if (!address) continue
        report({ text: `  ${side}: ${describeAddress(address)}` })
        for (const stream of address.left.slice(0, MOST_LEFT)) report({ text: `    left out: ${stream}` })
        const more = address.left.length - MOST_LEFT
        if (more > 0) report({ text: `    left out: ${more} more streams` })
      }
      if (status.trouble !== null) report({ text: `  not stored: ${status.trouble}` })
    }
  },
}

/** `inputs remove`. */
export const removeInputCommand: Command = {
  name: 'inputs remove',
  summary: 'Take the input from a live channel. Viewers can still go back in what was received.',
  arguments: [{ name: 'channel', summary: 'number of the channel' }],
  run: async (context, { arguments: [number = ''] }, { report }) => {
    const { db } = context
    const channel = await findChannelByNumber(db, numberOf(number))
    if (!channel || !(await removeInput(db, channel.id)))
      throw new CommandError(`Channel ${number} has no input.`)
    report({ text: `Channel ${number} has no input any more.` })
    const open = await countOpenRecordings(context, numberOf(number))
    if (open > 0)
      report({
        text: `Recorded programmes of this channel that are not over: ${open}. They will lack everything that is broadcast from now on. To add an input again: inputs add ${number} <address>`,
      })
  },
}

/** `inputs release`. */
export const releaseInputsCommand: Command = {
  name: 'inputs release',
  summary:
    'End what is still received after ingest was stopped, on the machine of the worker, or on this one without a worker. Otherwise it ends by itself after 20 s.',
  arguments: [],
  run: async ({ settings }, _input, { report }) => {
    const { Keeper } = await import('../../../ingest/live/keeper.ts')
    const isEnded = await new Keeper(keeperSocketPath(settings.DATA_DIR)).end()
    report({
      text: isEnded
        ? 'Nothing is kept any more. Inputs that ingest still receives begin anew.'
        : `Nothing is kept on the machine ${hostname()}.`,
    })
  },
}

/** Checks an address, and whether it leads into a private network. @throws CommandError */
async function requireSource({ settings }: Context, address: string): Promise<LiveSource> {
  const { hostToCall, readSource, SourceAddressError } = await import('../../../ingest/live/live-source.ts')
  try {
    const source = readSource(address)
    if (source.kind === 'file') await requireFile(source.path)
    // The following is not refused by `readSource`, because inputs of an earlier version may have it.
    if (source.kind === 'srt' && source.mode === 'listener' && source.streamId !== undefined)
      throw new CommandError(
        'A listener does not check the streamid: every sender could send. Use a passphrase instead.',
      )
    const { username = '', password = '' } = URL.parse(address) ?? {}
    const isSender = username === '' || ('sources' in source && source.sources?.includes(username))
    if ((source.kind === 'udp' || source.kind === 'rtp') && (!isSender || password !== ''))
      throw new CommandError(
        'Before the @, only the IPv4 address of a sender is accepted, and only for a multicast group.',
      )
    const host = hostToCall(source)
    if (host === undefined) return source
    const { privateHosts } = await import('../../../outbound/private-hosts.ts')
    if ((await privateHosts([host], settings.OUTBOUND_ALLOW)).size > 0)
      throw new CommandError(`${host} is inside a private network. OUTBOUND_ALLOW can allow it.`)
    return source
  } catch (error) {
    throw error instanceof SourceAddressError ? new CommandError(error.message) : error
  }
}

/** Rejects addresses on which another input already listens. @throws CommandError */
async function requireFree(
  { db, clock }: Context,
  number: number,
  sources: readonly LiveSource[],
): Promise<void> {
  const { collide, readSource, SourceAddressError } = await import('../../../ingest/live/live-source.ts')
  const [main, spare] = sources
  if (main && spare && collide(main, spare))
    throw new CommandError('The address and the spare listen on the same port.')
  for (const input of await listInputs(db, clock.now())) {
    if (input.number === number) continue
    for (const address of [input.address, input.spareAddress ?? '']) {
      try {
        const other = readSource(address)
        if (sources.some((source) => collide(source, other)))
          throw new CommandError(
            other.kind === 'rtmp'
              ? `Channel ${input.number} listens on the same port, for another service or for the same key.`
              : `Channel ${input.number} listens on the same port.`,
          )
      } catch (error) {
        // Ignores a missing spare address, and an address that only an earlier version accepted.
        if (!(error instanceof SourceAddressError)) throw error
      }
    }
  }
}

/** Returns the address that a channel relays. @throws CommandError */
async function recordableSource({ db }: Context, number: number): Promise<string> {
  const channel = await findChannelByNumber(db, number)
  if (!channel?.source)
    throw new CommandError(`Channel ${number} relays nothing, so there is nothing to receive.`)
  return channel.source.address
}

async function requireFile(path: string): Promise<void> {
  const file = await stat(path).catch(() => undefined)
  if (!file) throw new CommandError(`${path} does not exist, or cannot be read.`)
  if (!file.isFile()) throw new CommandError(`${path} is not a file.`)
}

async function liveChannel(
  { db }: Context,
  number: number,
  { name, record }: CommandInput['options'],
): Promise<number> {
  const channel = await findChannelByNumber(db, number)
  if (!channel) {
    if (typeof name !== 'string' || name.trim() === '')
      throw new CommandError(`There is no channel ${number}. Give a --name to create it.`)
    return await addLiveChannel(db, number, name.trim())
  }
  if (channel.kind === 'relay' && record !== true)
    throw new CommandError(
      `Channel ${number} relays a stream of another provider. --record receives that stream.`,
    )
  if (channel.kind === 'library')
    throw new CommandError(`Channel ${number} plays titles of the library, so it cannot have an input.`)
  return channel.id
}

/** Reads the heights of a ladder. @returns them with the highest first; null without a ladder. @throws CommandError */
async function ladderOf(option: string | boolean | undefined): Promise<number[] | null> {
  if (option === undefined) return null
  const { LADDER_HEIGHTS } = await import('../../../ingest/ladder.ts')
  const heights = `${option}`
    .split(',')
    .map((text) => LADDER_HEIGHTS.find((height) => `${height}` === text.trim()))
  const known = heights.filter((height) => height !== undefined)
  if (known.length < heights.length || new Set(known).size < known.length)
    throw new CommandError(
      `--ladder names heights, each once and separated by commas. Accepted are ${LADDER_HEIGHTS.join(', ')}.`,
    )
  return known.toSorted((one, other) => other - one)
}

function numberOf(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new CommandError('The number of a channel is 1 to 999999.')
  return Number(text)
}

function stateOf({ status, isReceived }: KnownInput, now: number): string {
  if (!isReceived) return SWITCHED_OFF
  if (!status || now - status.at > OLD_REPORT_MS) return 'no process receives it'
  if (status.active === null) return 'silent'
  const since = status.activeSince === null ? '' : ` since ${new Date(status.activeSince).toISOString()}`
  return `on the air from its ${status.active} address${since}`
}

function describeAddress(address: AddressStatus): string {
  const {
    bitsIn,
    heardAt,
    lostFrames,
    lateSegments = 0,
    jumps,
    silentFrames,
    restarts,
    encoded,
    lower = [],
    format,
    trouble,
  } = address
  const parts = [
    rateOf(bitsIn),
    heardAt === null ? 'never heard' : `heard ${new Date(heardAt).toISOString()}`,
    ...(format ? [`${format.text} since ${new Date(format.since).toISOString()}`] : []),
    `${lostFrames} frames lost`,
    `${lateSegments} segments late`,
    `${jumps} jumps of the clock`,
    `${silentFrames} frames of silence added`,
    `${restarts} restarts`,
    ...encoded.map((kind) => `${kind} is encoded`),
    ...lower.map((size) => `${size} is encoded`),
  ]
  return trouble === null ? parts.join(', ') : `${parts.join(', ')}. ${trouble}`
}

function rateOf(bits: number): string {
  return `${(bits / 1_000_000).toFixed(2)} Mbit/s`
}
