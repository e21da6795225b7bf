import { languageCode } from '../language-codes.ts'
import { checksum } from './splices.ts'

/** A page of teletext with subtitles. */
export interface TeletextPage {
  /** Magazine and number of the page, such as `888`. */
  number: string
  /** Language by ISO 639-2/T; `und` if the source does not state it. */
  language: string
  /** Whether the subtitles are meant for the deaf. */
  captions: boolean
}

const PACKET = 188
const SYNC = 0x47
/** Maximum bytes of incomplete packets. ffmpeg writes less at once. */
const LONGEST_REST = 1_000_000
/** Tags of the descriptors that list teletext pages (EN 300 468, sections 6.2.43 and 6.2.48). */
const TELETEXT = [0x56, 0x46]
/** Types of teletext pages: subtitles, and subtitles for the deaf (EN 300 468, table 106). */
const SUBTITLES = 2
const CAPTIONS = 5
const MOST_PAGES = 8

/** Finds the subtitle pages in the programme map of an MPEG-TS (ISO/IEC 13818-1, section 2.4.4.9). */
export class TeletextMap {
  #rest = Buffer.alloc(0)
  #mapPid: number | undefined
  #section: Buffer | undefined
  #pages: TeletextPage[] | undefined

  /** The pages; undefined until the programme map has arrived. */
  get pages(): readonly TeletextPage[] | undefined {
    return this.#pages
  }

  /** Adds the next part of the stream. The part may begin in the middle of a packet. */
  push(chunk: Buffer): void {
    if (this.#pages) return
    const bytes = Buffer.concat([this.#rest, chunk])
    let at = 0
    for (; at + PACKET < bytes.length && !this.#pages; ) {
      const isPacket = bytes[at] === SYNC && bytes[at + PACKET] === SYNC
      if (isPacket) this.#read(bytes.subarray(at, at + PACKET))
      at += isPacket ? PACKET : 1
    }
    this.#rest = Buffer.from(bytes.subarray(at).subarray(-LONGEST_REST))
  }

  #read(packet: Buffer): void {
    const pid = packet.readUInt16BE(1) & 0x1fff
    if (pid !== 0 && pid !== this.#mapPid) return
    const hasAdaptation = (packet.readUInt8(3) & 0x20) !== 0
    const payload = packet.subarray(4 + (hasAdaptation ? 1 + packet.readUInt8(4) : 0))
    const isStart = (packet.readUInt8(1) & 0x40) !== 0
    if (isStart) this.#section = payload.subarray(1 + (payload[0] ?? 0))
    else if (this.#section) this.#section = Buffer.concat([this.#section, payload])
    const section = this.#section
    if (!section || section.length < 3) return
    const length = 3 + (section.readUInt16BE(1) & 0xfff)
    if (section.length < length) return
    this.#section = undefined
    const whole = section.subarray(0, length)
    if (length < 16 || checksum(whole) !== 0) return
    if (pid === 0) this.#mapPid = whole.readUInt16BE(10) & 0x1fff
    else this.#pages = pagesIn(whole)
  }
}

function pagesIn(map: Buffer): TeletextPage[] {
  const pages: TeletextPage[] = []
  const end = map.length - 4
  for (let at = 12 + (map.readUInt16BE(10) & 0xfff); at + 5 <= end; ) {
    const until = at + 5 + (map.readUInt16BE(at + 3) & 0xfff)
    for (let tag = at + 5; tag + 2 <= Math.min(until, end); tag += 2 + (map[tag + 1] ?? 0))
      if (TELETEXT.includes(map[tag] ?? 0))
        pages.push(...pagesOf(map.subarray(tag + 2, Math.min(tag + 2 + (map[tag + 1] ?? 0), end))))
    at = until
  }
  return pages.slice(0, MOST_PAGES)
}

/** Reads a descriptor. For each page, it contains the language, the type with the magazine, and the number. */
function pagesOf(descriptor: Buffer): TeletextPage[] {
  const pages: TeletextPage[] = []
  for (let at = 0; at + 5 <= descriptor.length; at += 5) {
    const [kind = 0, number = 0] = descriptor.subarray(at + 3)
    const type = kind >> 3
    if (type !== SUBTITLES && type !== CAPTIONS) continue
    pages.push({
      // The descriptor contains 0 for magazine 8.
      number: `${kind & 7 || 8}${number.toString(16).padStart(2, '0')}`,
      language: languageCode(descriptor.toString('latin1', at, at + 3)) ?? 'und',
      captions: type === CAPTIONS,
    })
  }
  return pages
}
