import { describe, expect, it } from 'vitest'
import { PacketList } from './packet-list.ts'

/** Reads lines, in pieces of `size` characters. */
function listOf(lines: readonly string[], size = Infinity): PacketList {
  const list = new PacketList()
  const text = `#software: Lavf\n#tb 0: 1/90000\n${lines.map((line) => `${line}\n`).join('')}`
  for (let at = 0; at < text.length; at += size) list.push(Buffer.from(text.slice(at, at + size)))
  return list
}

const packet = (decode: number, duration = 3600, size = 100) =>
  `0, ${decode}, ${decode + 7200}, ${duration}, ${size}, 0xb170775c, F=0x0, S=1, 1`

describe('the packets of an encoded picture', () => {
  it.each([1, 7, Infinity])('counts lost frames and bytes, in pieces of %i characters', (size) => {
    const list = listOf(
      [-3600, 0, 3600, 18_000, 21_600].map((decode) => packet(decode)),
      size,
    )
    expect([list.lostFrames, list.bytes]).toEqual([3, 500])
  })

  it.each([
    [
      'frames that repeat a field',
      [packet(0, 4505), packet(4505, 3003), packet(7508, 4505), packet(12_013)],
      0,
    ],
    ['jumps of the clock', [packet(0), packet(900_000), packet(3600), packet(7200)], 2],
    ['packets without a duration', [packet(0, 0), packet(90_000, 0)], 0],
    ['what is no packet', ['0, x', '1, 0, 0, 3600, 9, 0x', '#tb 0: a/b', packet(0), packet(3600)], 0],
  ])('loses no frame with %s', (_what, lines, jumps) => {
    const list = listOf(lines)
    expect([list.lostFrames, list.jumps]).toEqual([0, jumps])
  })

  it('drops a line without an end', () => {
    const list = new PacketList()
    for (let times = 0; times < 100; times++) list.push(Buffer.alloc(1000, '0'))
    list.push(Buffer.from(`\n${packet(0)}\n`))
    expect(list.bytes).toBe(100)
  })

  it('uses the time base of the list', () => {
    const list = new PacketList()
    list.push(
      Buffer.from(['#tb 0: 1/1000', packet(0, 40), packet(1200, 40), packet(1320, 40), ''].join('\n')),
    )
    expect(list.lostFrames).toBe(2)
  })
})
