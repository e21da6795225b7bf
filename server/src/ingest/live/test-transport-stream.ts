import { readFile, writeFile } from 'node:fs/promises'
import { checksum } from './splices.ts'

/** MPEG-TS for tests with streams that ffmpeg cannot write (ISO/IEC 13818-1). */

const PACKET = 188
const CLOCK = 90_000

/** A stream that is added to a file of MPEG-TS. */
export interface AddedStream {
  pid: number
  /** Stream type in the programme map. */
  type: number
  /** Descriptors in the programme map. */
  descriptors: Buffer
  /** The units to send, in order of time. `atSeconds` counts from the first picture. */
  units: { atSeconds: number; isSection: boolean; payload: (firstTicks: number) => Buffer }[]
}

/** Adds streams to a file that ffmpeg has written. */
export async function addStreams(path: string, added: readonly AddedStream[]): Promise<void> {
  const source = await readFile(path)
  const counters = new Map<number, number>()
  const waiting = added.map(({ units }) => [...units])
  const packets: Buffer[] = []
  let mapPid = -1
  let first: number | undefined
  for (let at = 0; at + PACKET <= source.length; at += PACKET) {
    const packet = source.subarray(at, at + PACKET)
    const pid = packet.readUInt16BE(1) & 0x1fff
    const isStart = ((packet[1] ?? 0) & 0x40) !== 0
    const payload = packet.subarray(payloadAt(packet))
    if (pid === 0 && isStart) mapPid = payload.readUInt16BE(1 + 8 + 2) & 0x1fff
    if (pid === mapPid) {
      packets.push(...packed(mapPid, withSection(widened(payload, added)), counters))
      continue
    }
    packets.push(packet)
    const time = isStart && payload.readUInt32BE(0) === 0x1e0 ? timeOf(payload) : undefined
    if (time === undefined) continue
    first ??= time
    for (const [index, units] of waiting.entries()) {
      while (units[0] && units[0].atSeconds * CLOCK <= time - first) {
        const { isSection, payload: write, atSeconds } = units.shift() as AddedStream['units'][number]
        const data = write(first)
        const stream = added[index] as AddedStream
        const content = isSection ? withSection(data) : pes(first + Math.round(atSeconds * CLOCK), data)
        packets.push(...packed(stream.pid, content, counters))
      }
    }
  }
  await writeFile(path, Buffer.concat(packets))
}

function payloadAt(packet: Buffer): number {
  const hasAdaptation = ((packet[3] ?? 0) & 0x20) !== 0
  return 4 + (hasAdaptation ? 1 + (packet[4] ?? 0) : 0)
}

/** Reads the presentation time of a PES packet. */
function timeOf(payload: Buffer): number {
  const [a, b, c] = [payload.readUInt8(9), payload.readUInt16BE(10), payload.readUInt16BE(12)]
  return ((a >> 1) & 7) * 2 ** 30 + (b >> 1) * 2 ** 15 + (c >> 1)
}

/** Puts the pointer field before a section. */
function withSection(section: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0]), section])
}

/** Returns the section of a programme map, with further streams added. */
function widened(payload: Buffer, added: readonly AddedStream[]): Buffer {
  const section = payload.subarray(1, 1 + 3 + (payload.readUInt16BE(2) & 0xfff) - 4)
  const entries = added.map(({ pid, type, descriptors }) =>
    Buffer.concat([Buffer.from([type, 0xe0 | (pid >> 8), pid & 255, 0xf0, descriptors.length]), descriptors]),
  )
  // SCTE 35 requires this registration descriptor for the programme (section 8.1).
  const registration = Buffer.from('\x05\x04CUEI', 'latin1')
  const all = Buffer.concat([section.subarray(0, 12), registration, section.subarray(12), ...entries])
  all.writeUInt16BE(all.readUInt16BE(10) + registration.length, 10)
  all.writeUInt16BE(0xb000 | (all.length + 4 - 3), 1)
  return withChecksum(all)
}

/** Appends the checksum of a section. */
export function withChecksum(section: Buffer): Buffer {
  const end = Buffer.alloc(4)
  end.writeUInt32BE(checksum(section))
  return Buffer.concat([section, end])
}

/** Returns a private PES packet with a header of 45 bytes, as teletext has it (EN 300 472, section 4.2). */
function pes(time: number, data: Buffer): Buffer {
  const header = Buffer.alloc(45, 0xff)
  header.writeUInt32BE(0x1bd)
  header.writeUInt16BE(header.length - 6 + data.length, 4)
  header.set([0x84, 0x80, 0x24], 6)
  header.writeUInt8(0x21 | (Math.floor(time / 2 ** 30) << 1), 9)
  header.writeUInt16BE(((Math.floor(time / 2 ** 15) & 0x7fff) << 1) | 1, 10)
  header.writeUInt16BE(((time & 0x7fff) << 1) | 1, 12)
  return Buffer.concat([header, data])
}

/** Splits a payload into packets. The last packet has stuffing before its content. */
function packed(pid: number, content: Buffer, counters: Map<number, number>): Buffer[] {
  const packets: Buffer[] = []
  for (let at = 0; at < content.length; ) {
    const room = PACKET - 4
    const piece = content.subarray(at, at + room)
    const counter = ((counters.get(pid) ?? -1) + 1) & 15
    counters.set(pid, counter)
    const stuffing = room - piece.length
    const head = Buffer.from([
      0x47,
      (at === 0 ? 0x40 : 0) | (pid >> 8),
      pid & 255,
      (stuffing > 0 ? 0x30 : 0x10) | counter,
    ])
    const filler = Buffer.alloc(stuffing, 0xff)
    if (stuffing > 0) filler[0] = stuffing - 1
    if (stuffing > 1) filler[1] = 0
    packets.push(Buffer.concat([head, filler, piece]))
    at += room
  }
  return packets
}

/** Hamming codes: bytes by the 4-bit words that they encode (EN 300 706, section 8.2). */
const HAMMING = [
  0x15, 0x02, 0x49, 0x5e, 0x64, 0x73, 0x38, 0x2f, 0xd0, 0xc7, 0x8c, 0x9b, 0xa1, 0xb6, 0xfd, 0xea,
]
/** Selects the French character set: C12 is set, C13 and C14 are not (EN 300 706, table 32). */
const FRENCH = 2
/** French letters, and the characters whose codes they use (table 36). */
const FRENCH_LETTERS: Readonly<Record<string, string>> = { é: '#', à: '@', è: '`', ç: '~', ê: '\\' }

/**
 * Returns the teletext of a subtitle page with these lines in magazine 8; without lines, of an empty page.
 *
 * @param page number of the page in the magazine: 0x88 for page 888
 */
export function teletextPage(lines: readonly string[], page = 0x88): Buffer {
  const rows = lines.map((line, index) => row(22 - 2 * (lines.length - 1 - index), boxed(line)))
  // The header of another page ends the page.
  return units([header(page, true), ...rows, header(0xff, false)])
}

function header(page: number, isSubtitle: boolean): Buffer {
  const erase = 8
  const control = [
    page & 15,
    page >> 4,
    0,
    isSubtitle ? erase : 0,
    0,
    isSubtitle ? 8 : 0,
    isSubtitle ? 3 : 0,
    FRENCH,
  ]
  return row(
    0,
    Buffer.concat([Buffer.from(control.map((word) => HAMMING[word & 15] ?? 0)), odd(''.padEnd(32))]),
  )
}

/** Returns a teletext packet of magazine 8: its address, and 40 bytes. */
function row(number: number, content: Buffer): Buffer {
  const address = [(number & 1) << 3, number >> 1].map((word) => HAMMING[word] ?? 0)
  return Buffer.concat([Buffer.from(address), content])
}

function boxed(text: string): Buffer {
  const letters = text.replaceAll(/[éàèçê]/g, (letter) => FRENCH_LETTERS[letter] ?? letter)
  return odd(`\u{d}\u{b}\u{b}${letters}\u{a}\u{a}`.padEnd(40).slice(0, 40))
}

/** Adds the odd parity bit to each character. */
function odd(text: string): Buffer {
  return Buffer.from(text, 'latin1').map((letter) => {
    let ones = 0
    for (let bit = 0; bit < 7; bit++) ones += (letter >> bit) & 1
    return (letter & 0x7f) | (ones % 2 === 0 ? 0x80 : 0)
  }) as Buffer
}

/**
 * Wraps teletext packets in data units, and fills up to a whole number of MPEG-TS packets (EN 300 472, section
 * 4.3).
 */
function units(rows: readonly Buffer[]): Buffer {
  const all = rows.map((content, index) =>
    Buffer.concat([Buffer.from([0x03, 0x2c, 0xe0 | (7 + index), 0xe4]), content.map(reversed)]),
  )
  // The PES header with the first byte has 46 bytes, like each unit. Four times 46 bytes fill the 184 bytes of a
  // packet.
  while ((46 + all.length * 46) % 184 !== 0) all.push(Buffer.alloc(46, 0xff).fill(0x2c, 1, 2))
  return Buffer.concat([Buffer.from([0x10]), ...all])
}

function reversed(byte: number): number {
  let result = 0
  for (let bit = 0; bit < 8; bit++) result |= ((byte >> bit) & 1) << (7 - bit)
  return result
}

/**
 * Returns a `splice_insert` section: advertisements begin or end at `ticks` (SCTE 35, section 9.7.3).
 *
 * @param ticks null for at once
 */
export function spliceInsert(
  ticks: number | null,
  { isOut = true, adjustment = 0, seconds }: { isOut?: boolean; adjustment?: number; seconds?: number } = {},
): Buffer {
  const time = ticks === null ? Buffer.alloc(0) : longTime(ticks)
  const duration = seconds === undefined ? Buffer.alloc(0) : longTime(seconds * CLOCK)
  const flags =
    (isOut ? 0x80 : 0) | 0x40 | (seconds === undefined ? 0 : 0x20) | (ticks === null ? 0x10 : 0) | 0x0f
  const command = Buffer.concat([
    Buffer.from([0, 0, 0, 7, 0x7f, flags]),
    time,
    duration,
    Buffer.from([0, 1, 0, 0]),
  ])
  const head = Buffer.concat([
    Buffer.from([0xfc, 0x30, 0, 0, 0]),
    low(adjustment),
    Buffer.from([0, 0xff, 0xf0, command.length, 5]),
  ])
  const section = Buffer.concat([head, command, Buffer.alloc(2)])
  section.writeUInt16BE(0x3000 | (section.length + 4 - 3), 1)
  return withChecksum(section)
}

/** Returns 33 bits: a time, or the duration of a break with automatic return. */
function longTime(ticks: number): Buffer {
  return Buffer.concat([Buffer.from([0xfe | Math.floor(ticks / 2 ** 32)]), low(ticks)])
}

/** Returns the lower 32 bits of a time. */
function low(ticks: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(ticks % 2 ** 32)
  return bytes
}

/** A page in a teletext descriptor: language, type, and number in magazine 8. */
export type ListedPage = [language: string, type: number, page: number]

/**
 * Returns the descriptor of a teletext stream (EN 300 468, section 6.2.43), by default with subtitles for the deaf
 * (type 5) on page 888.
 */
export function teletextDescriptor(...pages: [language: string] | ListedPage[]): Buffer {
  const listed: ListedPage[] = typeof pages[0] === 'string' ? [[pages[0], 5, 0x88]] : (pages as ListedPage[])
  const entries = listed.map(([language, type, page]) =>
    Buffer.concat([Buffer.from(language, 'latin1'), Buffer.from([type << 3, page])]),
  )
  return Buffer.concat([Buffer.from([0x56, 5 * entries.length]), ...entries])
}
