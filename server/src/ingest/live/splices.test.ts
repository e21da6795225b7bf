import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Splices } from './splices.ts'
import { spliceInsert, withChecksum } from './test-transport-stream.ts'

const CLOCK = 90_000

/** Reads the splices of an input whose clock began at `startTicks`. Its media begins at 10 s. */
function splicesFrom(startTicks: number | null): Splices {
  const splices = new Splices(10)
  splices.startTicks = startTicks
  return splices
}

const secondsIn = (splices: Splices, from: number, until: number) =>
  splices.take(from, until).map(({ seconds }) => seconds)

/** Returns a section with a command of this type, such as 6 for a `time_signal`. */
const command = (type: number, ...content: number[]) => {
  const section = Buffer.from([
    0xfc,
    0x30,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0xff,
    0xf0,
    content.length,
    type,
    ...content,
    0,
    0,
  ])
  section.writeUInt16BE(0x3000 | (section.length + 4 - 3), 1)
  return withChecksum(section)
}

describe('marks of advertisements', () => {
  it('are in the segment of their time, although they are announced before', () => {
    const splices = splicesFrom(1.4 * CLOCK)
    splices.push(spliceInsert(6.4 * CLOCK))
    expect(secondsIn(splices, 10, 12)).toEqual([])
    expect(secondsIn(splices, 12, 14)).toEqual([])
    expect(secondsIn(splices, 14, 16)).toEqual([15])
    expect(secondsIn(splices, 16, 18)).toEqual([])
  })

  it('are in the segment that begins at their time, although ffmpeg has rounded the clock', () => {
    // A clock that began at a third of a second, as ffmpeg writes it.
    const splices = splicesFrom(1.333333 * CLOCK)
    splices.push(spliceInsert(6.333333 * CLOCK - 1))
    const begin = 15 - 1 / CLOCK + 3e-7
    expect(secondsIn(splices, begin - 2, begin)).toEqual([])
    expect(secondsIn(splices, begin, begin + 2)).toEqual([begin])
  })

  it('name where breaks begin and end, until these times are over', () => {
    const splices = splicesFrom(0)
    splices.push(spliceInsert(5 * CLOCK, { seconds: 30 }))
    splices.push(spliceInsert(null, { seconds: 12 }))
    const edges = () => [10, 14.98, 15, 15.02, 22, 45].filter((seconds) => splices.isEdge(seconds))
    expect(edges()).toEqual([15, 45])
    splices.take(15, 17)
    expect(edges()).toEqual([45])
    // A time signal without a descriptor marks no break.
    splices.push(command(6, 0xfe, 0, 0x12, 0xd6, 0x44))
    expect(splices.isEdge(10 + 0x12d644 / CLOCK)).toBe(false)
  })

  it('keep their time when the clock wraps, and with an adjustment', () => {
    const splices = splicesFrom(2 ** 33 - CLOCK)
    splices.push(spliceInsert(4 * CLOCK))
    splices.push(spliceInsert(2 ** 33 - CLOCK, { adjustment: 3 * CLOCK }))
    expect(secondsIn(splices, 10, 20)).toEqual([15, 13])
  })

  it.each([14, 27, 54])('keep their time and end a segment in the hour %i of an input', (hours) => {
    const splices = splicesFrom(1.4 * CLOCK)
    const begin = 10 + hours * 3600
    splices.push(spliceInsert(((1.4 + hours * 3600 + 5) * CLOCK) % 2 ** 33, { seconds: 30 }))
    expect(secondsIn(splices, begin, begin + 2)).toEqual([])
    expect([4, 5, 6, 35].filter((seconds) => splices.isEdge(begin + seconds))).toEqual([5, 35])
    const [found = 0] = secondsIn(splices, begin + 4, begin + 6)
    expect(found).toBeCloseTo(begin + 5, 6)
    expect([5, 35].filter((seconds) => splices.isEdge(begin + seconds))).toEqual([5, 35])
    expect(secondsIn(splices, begin + 6, begin + 8)).toEqual([])
    expect([5, 35].filter((seconds) => splices.isEdge(begin + seconds))).toEqual([35])
  })

  it.each([
    ['at once', spliceInsert(null)],
    ['of a signal without a time', command(6, 0x7f)],
    ['of an unknown command', command(0xff, 1, 2, 3, 4)],
    ['of another clock', spliceInsert(50_000 * CLOCK)],
    ['that is past', spliceInsert(CLOCK)],
  ])('are in the next segment if they are %s', (_what, section) => {
    const splices = splicesFrom(0)
    splices.push(section)
    expect(secondsIn(splices, 20, 22)).toEqual([20])
  })

  it('are in the next segment while the clock of the input is unknown', () => {
    const splices = splicesFrom(null)
    splices.push(spliceInsert(5 * CLOCK))
    expect(secondsIn(splices, 20, 22)).toEqual([20])
  })

  it.each([
    ['say nothing', command(0)],
    ['are damaged', Buffer.from(spliceInsert(CLOCK).map((byte, index) => (index === 15 ? byte ^ 1 : byte)))],
    ['are too short', withChecksum(Buffer.from([0xfc, 0x30, 4]))],
  ])('are left out if they %s', (_what, section) => {
    const splices = splicesFrom(0)
    splices.push(section)
    splices.push(spliceInsert(5 * CLOCK))
    expect(secondsIn(splices, 10, 30)).toEqual([15])
  })

  it('are read in pieces of any size, and after noise', () => {
    const sections = Buffer.concat([spliceInsert(5 * CLOCK), spliceInsert(6 * CLOCK, { isOut: false })])
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.array(fc.uint8Array()), (size, noise) => {
        const splices = splicesFrom(0)
        for (let at = 0; at < sections.length; at += size) splices.push(sections.subarray(at, at + size))
        expect(secondsIn(splices, 10, 20)).toEqual([15, 16])
        for (const bytes of noise) splices.push(Buffer.from(bytes))
        expect(splices.take(0, Infinity).length).toBeLessThanOrEqual(100)
      }),
    )
    const many = splicesFrom(0)
    for (let count = 0; count < 1000; count++) many.push(spliceInsert(5 * CLOCK))
    expect(many.take(10, 20)).toHaveLength(100)
  })
})
