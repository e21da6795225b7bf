import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { commandLine } from '../command-line.ts'
import { LONGEST_SEGMENT_SECONDS } from './cutter.ts'
import { type OutputPlan, outputArguments } from './output-plan.ts'

/** The parsed address of a live input. */
export type LiveSource =
  | {
      kind: 'srt'
      mode: 'caller' | 'listener'
      host: string
      port: number
      passphrase?: string
      streamId?: string
      latencyMs: number
    }
  | ({ kind: 'udp' } & PacketAddress)
  | ({ kind: 'rtp' } & PacketAddress)
  | { kind: 'rtmp'; host: string; port: number; path: string }
  | { kind: 'http'; address: string }
  | { kind: 'file'; path: string }

/** Where packets are received. */
interface PacketAddress {
  /** Address of this machine, or of a multicast group. */
  host: string
  port: number
  /** Address of this machine in the network from which a multicast group is received. */
  network?: string
  /** IPv4 addresses of the only senders that are received, for a source-specific multicast. */
  sources?: string[]
}

/**
 * A source that ffmpeg can open. If the service receives the source itself, ffmpeg reads it from its standard
 * input.
 */
export type FfmpegSource =
  | Exclude<LiveSource, { kind: 'rtmp' | 'http' }>
  | { kind: 'flv' }
  | { kind: 'mpegts' }
  | { kind: 'hls'; address: string }

/** Thrown for an address that cannot be an input. The message is for the operator. */
export class SourceAddressError extends Error {
  override name = 'SourceAddressError'
}

/** Kinds of addresses, for messages. */
const SOURCE_KINDS =
  'srt://host:port, srt://:port?mode=listener, rtmp://:port/application/key, udp://host:port, rtp://host:port, http(s)://… (HLS or MPEG-TS), or the path of a file that is repeated'

const LONGEST_PATH = 500
const LONGEST_ADDRESS = 2000
const RTMP_PORT = 1935
const SRT_LATENCY_MS = 200
/** Host that means listening on all networks of this machine. */
const ANY_HOST = '0.0.0.0'

/**
 * Parses an address. Accepts only the options that Ondine supports, so that an address cannot set further options of
 * ffmpeg.
 *
 * @throws SourceAddressError
 */
export function readSource(address: string): LiveSource {
  if (address.startsWith('/')) {
    if (/[\p{Cc}]/u.test(address) || address.length > LONGEST_PATH)
      throw new SourceAddressError('The path has a control character, or is too long.')
    return { kind: 'file', path: address }
  }
  // An address without a host means that Ondine listens. Inserts a host, because `URL` requires one.
  const isOpen = /^[a-z]+:\/\/:/.test(address)
  const complete = isOpen ? address.replace('://', `://${ANY_HOST}`) : address
  if (!URL.canParse(complete)) throw new SourceAddressError(`This is no address. Inputs are ${SOURCE_KINDS}.`)
  const url = new URL(complete)
  if (url.protocol === 'srt:') return readSrt(url, isOpen)
  if (url.protocol === 'udp:') return { kind: 'udp', ...readPackets(url) }
  if (url.protocol === 'rtp:') return { kind: 'rtp', ...readPackets(url) }
  if (url.protocol === 'rtmp:') return readRtmp(url)
  if (url.protocol === 'http:' || url.protocol === 'https:') return readHttp(url)
  throw new SourceAddressError(`${url.protocol}// is not supported. Inputs are ${SOURCE_KINDS}.`)
}

function readSrt(url: URL, isOpen: boolean): LiveSource {
  const options = Object.fromEntries(url.searchParams)
  const { mode = isOpen ? 'listener' : 'caller', passphrase, streamid, latency, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new SourceAddressError(`The option ${unknown} is not known.`)
  if (mode !== 'caller' && mode !== 'listener') throw new SourceAddressError('mode is caller or listener.')
  if (mode === 'caller' && isOpen) throw new SourceAddressError('A caller needs a host.')
  // ffmpeg does not URL-decode this option, so only these characters are allowed.
  if (passphrase !== undefined && !/^[A-Za-z0-9._-]{10,79}$/.test(passphrase))
    throw new SourceAddressError('The passphrase has 10 to 79 letters, digits, and any of . _ and -.')
  if (streamid !== undefined && !/^[\x21-\x7e]{1,512}$/.test(streamid))
    throw new SourceAddressError('The streamid must have 1 to 512 printable characters, without spaces.')
  const latencyMs = latency === undefined ? SRT_LATENCY_MS : Number(latency)
  if (!(Number.isInteger(latencyMs) && latencyMs >= 20 && latencyMs <= 10_000))
    throw new SourceAddressError('latency is 20 to 10000 milliseconds.')
  return {
    kind: 'srt',
    mode,
    host: hostOf(url),
    port: portOf(url),
    latencyMs,
    ...(passphrase !== undefined && { passphrase }),
    ...(streamid !== undefined && { streamId: streamid }),
  }
}

/** Maximum number of senders of a multicast group that are received. */
const MOST_SOURCES = 8

/**
 * Parses the address of packets. An address before the @ is the only sender of a multicast group that is received, as
 * in `sources`. Ignores anything else before the @: lists of channels write an @ alone, and earlier versions accepted
 * any name.
 */
function readPackets(url: URL): PacketAddress {
  const { interface: network, sources: listed, ...others } = Object.fromEntries(url.searchParams)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new SourceAddressError(`The option ${unknown} is not known.`)
  const isSender = isMulticast(hostOf(url)) && isIP(url.username) === 4
  const sources = [...(listed?.split(',') ?? []), ...(isSender ? [url.username] : [])]
  if (sources.length > MOST_SOURCES || !sources.every((each) => isIP(each) === 4))
    throw new SourceAddressError(
      `Name at most ${MOST_SOURCES} senders of a multicast group, as IPv4 addresses, before the @ or in sources.`,
    )
  const packets = {
    host: hostOf(url),
    port: portOf(url),
    ...(network !== undefined && { network }),
    ...(sources.length > 0 && { sources }),
  }
  if (network !== undefined && isIP(network) === 0)
    throw new SourceAddressError('interface must be an IP address of this machine.')
  if (isMulticast(packets.host)) return packets
  if (network !== undefined)
    throw new SourceAddressError(
      'interface is for the group of a multicast. Otherwise, the host names the network.',
    )
  if (sources.length > 0) throw new SourceAddressError('Senders can be named only for a multicast group.')
  return packets
}

function readRtmp(url: URL): LiveSource {
  const host = hostOf(url)
  if (isIP(withoutBrackets(host)) === 0)
    throw new SourceAddressError('RTMP is received, not fetched: write rtmp://:1935/application/key.')
  const path = url.pathname.slice(1)
  if (!/^[\w.~-]+(?:\/[\w.~-]+)*\/[\w.~-]{8,128}$/.test(path) || url.search !== '')
    throw new SourceAddressError(
      'An RTMP address ends with an application and a stream key, as in rtmp://:1935/live/key. The key has 8 to 128 letters, digits, and any of . _ ~ and -.',
    )
  return { kind: 'rtmp', host, port: url.port === '' ? RTMP_PORT : portOf(url), path }
}

function readHttp(url: URL): LiveSource {
  if (url.username !== '' || url.password !== '')
    throw new SourceAddressError('Addresses with a user name or password before the host are not accepted.')
  url.hash = ''
  if (url.href.length > LONGEST_ADDRESS) throw new SourceAddressError('The address is too long.')
  return { kind: 'http', address: url.href }
}

function hostOf({ hostname }: URL): string {
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/i.test(hostname))
    throw new SourceAddressError('The host is not valid.')
  return hostname
}

function portOf({ port }: URL): number {
  if (port === '' || Number(port) === 0) throw new SourceAddressError('The address needs a port.')
  return Number(port)
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

function isMulticast(host: string): boolean {
  const address = withoutBrackets(host)
  return ipaddr.isValid(address) && ipaddr.parse(address).range() === 'multicast'
}

/** Returns whether a host means all networks of this machine. */
function isAny(host: string): boolean {
  return host === ANY_HOST || host === '[::]'
}

/** Returns the host that an input connects to; undefined if the input listens, or reads a file. */
export function hostToCall(source: LiveSource): string | undefined {
  if (source.kind === 'http') return withoutBrackets(new URL(source.address).hostname)
  return source.kind === 'srt' && source.mode === 'caller' ? withoutBrackets(source.host) : undefined
}

/** Returns the name of a source's kind, for messages. */
export function kindOf(source: LiveSource): string {
  if (source.kind === 'srt') return `SRT ${source.mode}`
  if (source.kind === 'rtmp') return 'RTMP listener'
  if (source.kind === 'file') return 'file'
  if (source.kind === 'http' && /\.m3u8?$/i.test(new URL(source.address).pathname)) return 'HLS'
  if (source.kind === 'http' && /\.mpd$/i.test(new URL(source.address).pathname)) return 'DASH'
  return source.kind.toUpperCase()
}

/** The ports that a source listens on. `sources` are the only senders that it receives, see {@link PacketAddress}. */
interface Listening {
  transport: 'udp' | 'tcp'
  host: string
  ports: number[]
  sources?: readonly string[] | undefined
}

/** Returns the ports that a source listens on; undefined if it does not listen. */
function listeningOf(source: LiveSource): Listening | undefined {
  if (source.kind === 'file' || source.kind === 'http') return undefined
  const { host, port } = source
  if (source.kind === 'rtmp') return { transport: 'tcp', host, ports: [port] }
  if (source.kind === 'srt' && source.mode === 'caller') return undefined
  // RTP sends its control messages to the next port.
  const sources = source.kind === 'srt' ? undefined : source.sources
  return { transport: 'udp', host, ports: source.kind === 'rtp' ? [port, port + 1] : [port], sources }
}

/**
 * Returns whether one machine cannot receive both sources, because they listen on the same port. Several multicast
 * groups, the same group of several senders, and several RTMP keys, may share a port.
 */
export function collide(one: LiveSource, other: LiveSource): boolean {
  const [first, second] = [listeningOf(one), listeningOf(other)]
  if (!first || !second || first.transport !== second.transport) return false
  if (!first.ports.some((port) => second.ports.includes(port))) return false
  const isSameHost = first.host === second.host
  if (one.kind === 'rtmp' && other.kind === 'rtmp' && isSameHost) return one.path === other.path
  if (isSameHost && first.sources && second.sources)
    return first.sources.some((sender) => second.sources?.includes(sender))
  return isSameHost || isAny(first.host) || isAny(second.host)
}

/** Returns an address without its secrets, for display and for the log. */
export function withoutSecrets(address: string): string {
  if (address.startsWith('rtmp:')) return address.replace(/[^/]*$/, '…')
  if (!/^https?:/.test(address)) return address.replace(/(passphrase|streamid)=[^&]*/g, '$1=…')
  // Providers write accounts and tokens into the path and the query.
  const [, origin = '', folders = '', name = '', query = ''] =
    /^(https?:\/\/[^/?#]*)([^?#]*\/)?([^?#]*)(.*)$/s.exec(address) ?? []
  return `${origin}${folders.length > 1 ? '/…/' : folders}${name}${query === '' ? '' : '?…'}`
}

/** Returns the kind of an address, and the address without its secrets, for display. */
export function describeSource(address: string): string {
  try {
    return `${kindOf(readSource(address))} ${withoutSecrets(address)}`
  } catch (error) {
    if (error instanceof SourceAddressError) return withoutSecrets(address)
    throw error
  }
}

/** Longest message about a source, in characters. */
const LONGEST_MESSAGE = 300
/** Text that replaces an address in a message. */
const ADDRESS = 'the source'
/**
 * Matches addresses as {@link sourceArguments} writes them. Also matches the end of an address whose beginning is
 * cut off.
 */
const ADDRESSES =
  /(?:(?:srt|udp|rtp|https?):\/\/|\S*(?:passphrase|pbkeylen|streamid)=)\S*?(?=:?(?:\s|$))|data:text\/plain;base64,[\w+/=]*/g
/** Matches a message of ffmpeg that reports no error. */
const OF_NO_FAULT = /^(?:\[[^\]]*\] )?\[(?:info|warning)\] /
/** Matches ffmpeg's errors about an awaited stream that had sent nothing when the source ended, see `OutputPlan`. */
const OF_AWAITED =
  /\] (?:Cannot determine format of input stream \S+ after EOF|Error marking filters as finished|Error configuring filter graph|Error applying options to the filter\.|Value inf for parameter 'time_base' .*|Error setting option time_base .*)$/
/** Matches the level that ffmpeg writes before an error message. */
const LEVEL = /\[(?:error|fatal|panic)\] /
/** Matches the end of a list of files whose beginning is cut off. */
const REST_OF_LIST = /[\w+/=]{200,}/g

/**
 * Returns ffmpeg's last message about a source. Replaces addresses, because they contain secrets or a long list.
 *
 * @param tail the end of ffmpeg's standard error
 */
export function lastMessage(tail: string, source: LiveSource): string {
  const secret = source.kind === 'srt' ? source.passphrase : undefined
  const clear = secret === undefined ? tail : tail.replaceAll(secret, '…')
  const lines = clear
    .split('\n')
    .filter((line) => !OF_NO_FAULT.test(line) && !OF_AWAITED.test(line))
    .map((line) => line.replace(LEVEL, '').replace(ADDRESSES, ADDRESS).replace(REST_OF_LIST, ADDRESS).trim())
  const last = lines.findLast((line) => line !== '' && line !== ADDRESS)
  return (last ?? '').slice(0, LONGEST_MESSAGE)
}

/** Returns the arguments of ffmpeg that write an input as fragmented MP4 to its standard output. */
export function sourceArguments(source: FfmpegSource, plan?: OutputPlan): string[] {
  return [
    // ffmpeg lists the input's streams at the level `info`.
    ...commandLine`-nostdin -hide_banner -nostats -v level+info`,
    ...inputArguments(source),
    ...outputArguments(plan),
  ]
}

/** How often a file plays before ffmpeg is restarted. Limited because an argument may have at most 128 kB. */
const ROUNDS = 100

/**
 * How much ffmpeg reads to recognise the tracks, in seconds. Enough to find a key frame if they come every two
 * seconds.
 */
const PROBE_SECONDS = 3
/** How many bytes ffmpeg reads at most for each of these seconds. */
const PROBE_BYTES = 1_700_000

/**
 * Longer readings for a picture whose key frame does not arrive, in seconds. Without a setting, most encoders make a key
 * frame every 250 frames. The last one finds the longest accepted interval.
 */
export const LONGER_PROBES = [12, LONGEST_SEGMENT_SECONDS + 1] as const

/** Adds to the arguments of ffmpeg how much of the input it reads first. */
export function withProbe(words: readonly string[], seconds = PROBE_SECONDS): string[] {
  return [
    ...commandLine`-analyzeduration ${seconds * 1_000_000} -probesize ${seconds * PROBE_BYTES}`,
    ...words,
  ]
}

/** Formats that the files of a playlist may have. Files of other formats could refer to further addresses. */
const SEGMENT_FORMATS = 'hls,mpegts,mov,aac,mp3,ac3,eac3,webvtt'

function inputArguments(source: FfmpegSource): string[] {
  if (source.kind === 'file') {
    // Repeats the file by a list: with `-stream_loop`, ffmpeg 5 stops filtering copied sound after the first
    // round.
    const entry = `file 'file:${source.path.replaceAll("'", String.raw`'\''`)}'\n`
    const list = Buffer.from(`ffconcat version 1.0\n${entry.repeat(ROUNDS)}`).toString('base64')
    return commandLine`-protocol_whitelist file,data -re -f concat -safe 0 -i data:text/plain;base64,${list}`
  }
  if (source.kind === 'flv') return commandLine`-protocol_whitelist pipe -f flv -i pipe:0`
  // Servers send all available media at once. `-re` reads it at the speed at which it plays.
  if (source.kind === 'mpegts') return commandLine`-protocol_whitelist pipe -re -f mpegts -i pipe:0`
  if (source.kind === 'hls')
    return [
      ...commandLine`-protocol_whitelist http,tcp,crypto -format_whitelist ${SEGMENT_FORMATS}`,
      ...commandLine`-re -f hls -allowed_extensions ALL -live_start_index -3 -i ${source.address}`,
    ]
  if (source.kind === 'rtp')
    return commandLine`-protocol_whitelist rtp,udp -buffer_size 4194304 -f rtp -i ${packetsAddress(source, {})}`
  if (source.kind === 'udp') {
    const options = {
      timeout: '5000000',
      fifo_size: '50000',
      overrun_nonfatal: '1',
      buffer_size: '4194304',
    }
    return commandLine`-protocol_whitelist udp -f mpegts -i ${packetsAddress(source, options)}`
  }
  const { mode, host, port, passphrase, streamId, latencyMs } = source
  const options = new URLSearchParams({
    mode,
    latency: `${latencyMs * 1000}`,
    timeout: '5000000',
    ...(passphrase !== undefined && { passphrase, pbkeylen: '16', enforced_encryption: '1' }),
    ...(streamId !== undefined && { streamid: streamId }),
  })
  return commandLine`-protocol_whitelist srt -f mpegts -i srt://${host}:${port}?${`${options}`}`
}

/**
 * Returns the address of packets for ffmpeg, with the options that limit reception to one network and to some senders.
 */
function packetsAddress(
  { kind, host, port, network, sources }: Extract<FfmpegSource, { kind: 'udp' | 'rtp' }>,
  options: Record<string, string>,
): string {
  // Without this option, ffmpeg listens on all networks, unless the host is a multicast group.
  const local = network ?? (isAny(host) || isMulticast(host) ? undefined : withoutBrackets(host))
  const query = new URLSearchParams({
    ...options,
    ...(local !== undefined && { localaddr: local }),
    ...(sources && { sources: sources.join(',') }),
  })
  // ffmpeg does not decode its options.
  return `${kind}://${host}:${port}?${decodeURIComponent(`${query}`)}`
}
