import { commandLine } from '../command-line.ts'

/** Address of a live input, taken apart. */
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
  | { kind: 'udp'; host: string; port: number }
  | { kind: 'file'; path: string }

/** Address that cannot be an input. The message is for the operator. */
export class SourceAddressError extends Error {
  override name = 'SourceAddressError'
}

/** Kinds of addresses, for messages. */
export const SOURCE_KINDS =
  'srt://host:port, srt://:port?mode=listener, udp://host:port, or the path of a file that is repeated'

const LONGEST_PATH = 500
const SRT_LATENCY_MS = 200
/** Host of an address at which all networks of the machine are listened on. */
const ANY_HOST = '0.0.0.0'

/**
 * Takes an address apart. Only known options are kept, so that no address can set another one of ffmpeg's.
 *
 * @throws SourceAddressError
 */
export function readSource(address: string): LiveSource {
  if (address.startsWith('/')) {
    if (/[\p{Cc}]/u.test(address) || address.length > LONGEST_PATH)
      throw new SourceAddressError('The path has a control character, or is too long.')
    return { kind: 'file', path: address }
  }
  // An address without a host listens. URLs have a host.
  const isOpen = /^[a-z]+:\/\/:/.test(address)
  const complete = isOpen ? address.replace('://', `://${ANY_HOST}`) : address
  if (!URL.canParse(complete)) throw new SourceAddressError(`This is no address. Inputs are ${SOURCE_KINDS}.`)
  const url = new URL(complete)
  if (url.protocol === 'srt:') return readSrt(url, isOpen)
  if (url.protocol === 'udp:') {
    for (const name of url.searchParams.keys())
      throw new SourceAddressError(`The option ${name} is not known.`)
    // Lists of channels write the group of a multicast after an @.
    return { kind: 'udp', host: hostOf(url), port: portOf(url) }
  }
  throw new SourceAddressError(`${url.protocol}// is not supported. Inputs are ${SOURCE_KINDS}.`)
}

function readSrt(url: URL, isOpen: boolean): LiveSource {
  const options = Object.fromEntries(url.searchParams)
  const { mode = isOpen ? 'listener' : 'caller', passphrase, streamid, latency, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new SourceAddressError(`The option ${unknown} is not known.`)
  if (mode !== 'caller' && mode !== 'listener') throw new SourceAddressError('mode is caller or listener.')
  if (mode === 'caller' && isOpen) throw new SourceAddressError('A caller needs a host.')
  // ffmpeg does not decode this option.
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

function hostOf({ hostname }: URL): string {
  if (!/^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/i.test(hostname))
    throw new SourceAddressError('The host is not valid.')
  return hostname
}

function portOf({ port }: URL): number {
  if (port === '' || Number(port) === 0) throw new SourceAddressError('The address needs a port.')
  return Number(port)
}

/** Returns the host to which an input connects; undefined if it listens, or reads a file. */
export function hostToCall(source: LiveSource): string | undefined {
  return source.kind === 'srt' && source.mode === 'caller' ? source.host.replace(/^\[|\]$/g, '') : undefined
}

/** Returns an address without its secrets, to be shown and logged. */
export function withoutSecrets(address: string): string {
  return address.replace(/(passphrase|streamid)=[^&]*/g, '$1=…')
}

/** Longest message about a source, in characters. */
const LONGEST_MESSAGE = 300
/** What stands for an address in a message. */
const ADDRESS = 'the source'
/** Addresses as {@link sourceArguments} writes them, and parts of one whose beginning is lost. */
const ADDRESSES =
  /(?:(?:srt|udp):\/\/|\S*(?:passphrase|pbkeylen|streamid)=)\S*?(?=:?(?:\s|$))|data:text\/plain;base64,[\w+/=]*/g
/** Rest of a list of files whose beginning is lost. */
const REST_OF_LIST = /[\w+/=]{200,}/g

/**
 * Returns what ffmpeg last said about a source. Addresses are left out: they contain secrets, or a long list.
 *
 * @param tail the end of its standard error
 */
export function lastMessage(tail: string, source: LiveSource): string {
  const secret = source.kind === 'srt' ? source.passphrase : undefined
  const clear = secret === undefined ? tail : tail.replaceAll(secret, '…')
  const lines = clear
    .split('\n')
    .map((line) => line.replace(ADDRESSES, ADDRESS).replace(REST_OF_LIST, ADDRESS).trim())
  const last = lines.findLast((line) => line !== '' && line !== ADDRESS)
  return (last ?? '').slice(0, LONGEST_MESSAGE)
}

/** Which kinds of tracks are encoded, because the source's format cannot be taken. */
export interface Encoding {
  video: boolean
  audio: boolean
}

/** Returns the arguments of ffmpeg that write an input as fragmented MP4 to its standard output. */
export function sourceArguments(source: LiveSource, { video, audio }: Encoding): string[] {
  return [
    ...commandLine`-nostdin -hide_banner -v error`,
    ...inputArguments(source),
    // The `?` allows inputs without a picture, or without sound.
    ...commandLine`-map 0:v:0? -map 0:a? -dn -sn`,
    ...(video ? ENCODE_VIDEO : commandLine`-c:v copy`),
    ...(audio
      ? commandLine`-c:a aac -ac 2 -ar 48000 -b:a 160k`
      : commandLine`-c:a copy -bsf:a ${AAC_FILTER}`),
    // Without an offset, a first decode time below zero would become a time near 2^64.
    ...commandLine`-video_track_timescale 90000 -output_ts_offset 10 -use_editlist 0 -avoid_negative_ts disabled`,
    // A track that stops does not hold up the others.
    // A key frame is seen here when its fragment is complete, so fragments are short.
    ...commandLine`-max_interleave_delta 500000 -flush_packets 1 -frag_duration 100000`,
    ...commandLine`-movflags +delay_moov+empty_moov+default_base_moof+frag_discont+frag_keyframe -f mp4 pipe:1`,
  ]
}

/** Takes AAC out of the frames that MPEG-TS puts it in. ffmpeg ends with its name if the sound is not AAC. */
export const AAC_FILTER = 'aac_adtstoasc'

const ENCODE_VIDEO = commandLine`-c:v libx264 -preset veryfast -pix_fmt yuv420p -sc_threshold 0 -force_key_frames expr:gte(t,n_forced*2)`

/** How often a file plays before ffmpeg is started again. An argument may have 128 kB. */
const ROUNDS = 100

/** How much ffmpeg reads to recognise the tracks: enough to find a key frame. */
const PROBE = commandLine`-analyzeduration 3000000 -probesize 5000000`

function inputArguments(source: LiveSource): string[] {
  if (source.kind === 'file') {
    // `-stream_loop` of ffmpeg 5 ends the filter of copied sound with the first round.
    const entry = `file 'file:${source.path.replaceAll("'", String.raw`'\''`)}'\n`
    const list = Buffer.from(`ffconcat version 1.0\n${entry.repeat(ROUNDS)}`).toString('base64')
    return commandLine`-protocol_whitelist file,data -re -f concat -safe 0 -i data:text/plain;base64,${list}`
  }
  if (source.kind === 'udp') {
    const query = 'timeout=5000000&fifo_size=50000&overrun_nonfatal=1&buffer_size=4194304&reuse=1'
    return [
      ...PROBE,
      ...commandLine`-protocol_whitelist udp -f mpegts -i udp://${source.host}:${source.port}?${query}`,
    ]
  }
  const { mode, host, port, passphrase, streamId, latencyMs } = source
  const options = new URLSearchParams({
    mode,
    latency: `${latencyMs * 1000}`,
    timeout: '5000000',
    ...(passphrase !== undefined && { passphrase, pbkeylen: '16', enforced_encryption: '1' }),
    ...(streamId !== undefined && { streamid: streamId }),
  })
  return [
    ...PROBE,
    ...commandLine`-protocol_whitelist srt -f mpegts -i srt://${host}:${port}?${`${options}`}`,
  ]
}
