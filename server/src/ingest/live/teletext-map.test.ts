import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TeletextMap } from './teletext-map.ts'
import { type ListedPage, teletextDescriptor, withChecksum } from './test-transport-stream.ts'

const MAP_PID = 0x100

/** Puts a section into packets of MPEG-TS. */
function packets(pid: number, section: Buffer): Buffer {
  const content = Buffer.concat([Buffer.alloc(1), section])
  const count = Math.ceil(content.length / 184)
  return Buffer.concat(
    Array.from({ length: count }, (_, index) => {
      const head = Buffer.from([0x47, (index === 0 ? 0x40 : 0) | (pid >> 8), pid & 255, 0x10 | (index & 15)])
      return Buffer.concat([head, content.subarray(index * 184), Buffer.alloc(184, 0xff)]).subarray(0, 188)
    }),
  )
}

function section(table: number, content: Buffer): Buffer {
  const head = Buffer.from([table, 0xb0, 0, 0, 1, 0xc1, 0, 0])
  head.writeUInt16BE(0xb000 | (5 + content.length + 4), 1)
  return withChecksum(Buffer.concat([head, content]))
}

/** Returns an MPEG-TS whose programme map has one stream with these descriptors. */
function streamWith(descriptors: Buffer): Buffer {
  const programme = section(0, Buffer.from([0, 1, 0xe0 | (MAP_PID >> 8), MAP_PID & 255]))
  const stream = Buffer.from([6, 0xe1, 0x10, 0xf0 | (descriptors.length >> 8), descriptors.length & 255])
  const map = section(2, Buffer.concat([Buffer.from([0xe1, 0x10, 0xf0, 0]), stream, descriptors]))
  const rest = Buffer.concat([Buffer.from([0x47, 0x1f, 0xff, 0x10]), Buffer.alloc(184, 0xff)])
  return Buffer.concat([packets(0, programme), packets(MAP_PID, map), rest, rest])
}

const PAGES: ListedPage[] = [
  ['fre', 1, 0x00],
  ['fre', 5, 0x88],
  ['xx!', 2, 0x89],
]
const FOUND = [
  { number: '888', language: 'fra', captions: true },
  { number: '889', language: 'und', captions: false },
]

/** Returns the pages of a stream that arrives in pieces of this size. */
function read(stream: Buffer, size = stream.length) {
  const map = new TeletextMap()
  for (let at = 0; at < stream.length; at += size) map.push(stream.subarray(at, at + size))
  return map.pages
}

describe('the pages of teletext that are subtitles', () => {
  it.each([1, 7, 188, 100_000])('are read from the programme map, in pieces of %i bytes', (size) => {
    expect(read(streamWith(teletextDescriptor(...PAGES)), size)).toEqual(FOUND)
  })

  it('are read from a stream that begins in the middle of a packet', () => {
    const stream = streamWith(teletextDescriptor(...PAGES))
    expect(read(Buffer.concat([stream.subarray(100), stream]))).toEqual(FOUND)
  })

  it('are read from a map of several packets, and at most eight', () => {
    const many = Array.from({ length: 40 }, (_, page): ListedPage => ['deu', 2, page])
    expect(read(streamWith(teletextDescriptor(...many)))?.map(({ number }) => number)).toEqual([
      '800',
      '801',
      '802',
      '803',
      '804',
      '805',
      '806',
      '807',
    ])
  })

  it('are none where the map names none', () => {
    expect(read(streamWith(Buffer.alloc(0)))).toEqual([])
  })

  it('are unknown from a damaged map, and from noise', () => {
    const stream = streamWith(teletextDescriptor(...PAGES))
    const damaged = Buffer.from(stream)
    damaged[188 + 30] = 0x55
    expect(read(damaged)).toBeUndefined()
    expect(read(Buffer.concat([damaged, stream]))).toEqual(FOUND)
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 2000 }),
        fc.nat(stream.length - 1),
        fc.nat(255),
        (noise, at, byte) => {
          read(Buffer.from(noise))
          const changed = Buffer.from(stream)
          changed[at] = byte
          read(changed, 100)
        },
      ),
    )
  })
})
