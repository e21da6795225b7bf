import { readIsoBoxes, readMdat, readMdhd, readPayl, readSttg, readTfdt, readTrun } from '@svta/cml-iso-bmff'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wvttInit, wvttSegment } from './wvtt.ts'

const READERS = {
  readers: { mdat: readMdat, mdhd: readMdhd, payl: readPayl, sttg: readSttg, tfdt: readTfdt, trun: readTrun },
}

interface Sample {
  /** Start and end in ticks. */
  from: number
  to: number
  cues: { text: string; settings: string | undefined; source: string }[]
}

/** Returns the boxes of one type, at any depth, as found by an independent library. */
function boxesOf<T extends keyof typeof READERS.readers>(bytes: Uint8Array, type: T) {
  type Read = ReturnType<(typeof READERS.readers)[T]>
  const found: Read[] = []
  const walk = (boxes: readonly { type: string }[]): void => {
    for (const box of boxes) {
      if (box.type === type) found.push(box as unknown as Read)
      if ('boxes' in box) walk(box.boxes as { type: string }[])
    }
  }
  walk(readIsoBoxes(bytes, READERS))
  return found
}

/** Parses a segment, and returns its samples with their times and cues. */
function samplesOf(bytes: Uint8Array): Sample[] {
  const [run] = boxesOf(bytes, 'trun')
  const [decodeTime] = boxesOf(bytes, 'tfdt')
  let offset = run?.dataOffset ?? 0
  let from = Number(decodeTime?.baseMediaDecodeTime)
  return (run?.samples ?? []).map(({ sampleDuration = 0, sampleSize = 0 }) => {
    const data = bytes.slice(offset, offset + sampleSize)
    offset += sampleSize
    const to = from + sampleDuration
    const sample = { from, to, cues: cuesOf(data) }
    from = to
    return sample
  })
}

function cuesOf(data: Uint8Array): Sample['cues'] {
  const cues: Sample['cues'] = []
  for (let offset = 0; offset < data.length; ) {
    const size = new DataView(data.buffer, data.byteOffset + offset).getUint32(0)
    const bytes = data.slice(offset, offset + size)
    const type = new TextDecoder().decode(bytes.subarray(4, 8))
    expect(['vttc', 'vtte']).toContain(type)
    if (type === 'vttc') {
      const source = Buffer.from(bytes.subarray(16, 20)).toString('hex')
      expect(new TextDecoder().decode(bytes.subarray(12, 16))).toBe('vsid')
      const text = boxesOf(bytes, 'payl')[0]?.cueText ?? ''
      cues.push({ text, settings: boxesOf(bytes, 'sttg')[0]?.settings, source })
    }
    offset += size
  }
  return cues
}

const HEADER = 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n'
const SECOND_SEGMENT = { number: 2, startTicks: 4000, durationTicks: 4000, timescale: 1000 }

describe('WebVTT in fragmented MP4', () => {
  it('has an initialization segment with its clock', () => {
    const init = wvttInit(12_288)
    expect(boxesOf(init, 'mdhd')[0]).toMatchObject({ timescale: 12_288 })
    expect(Buffer.from(init).includes('wvtt')).toBe(true)
    expect(readIsoBoxes(init).map(({ type }) => type)).toEqual(['ftyp', 'moov'])
  })

  it('shows a cue at its time, and nothing before and after', () => {
    const cue = '00:00:05.000 --> 00:00:07.500 line:10% align:start\nBonjour <i>à tous</i>\nEt bienvenue.\n\n'
    const samples = samplesOf(wvttSegment(HEADER + cue, SECOND_SEGMENT))
    expect(samples).toMatchObject([
      { from: 4000, to: 5000, cues: [] },
      {
        from: 5000,
        to: 7500,
        cues: [{ text: 'Bonjour <i>à tous</i>\nEt bienvenue.', settings: 'line:10% align:start' }],
      },
      { from: 7500, to: 8000, cues: [] },
    ])
  })

  it('has one empty sample where there is no cue', () => {
    expect(samplesOf(wvttSegment('WEBVTT\n\n', SECOND_SEGMENT))).toEqual([{ from: 4000, to: 8000, cues: [] }])
  })

  it('marks a cue in two segments as the same cue', () => {
    const cue = '00:00:07.000 --> 00:00:09.000\nLa mer\n\n'
    const ids = [SECOND_SEGMENT, { ...SECOND_SEGMENT, number: 3, startTicks: 8000 }].flatMap((segment) =>
      samplesOf(wvttSegment(HEADER + cue, segment)).flatMap(({ cues }) => cues.map(({ source }) => source)),
    )
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(1)
  })

  it.each([
    ['comments and styles', 'NOTE 00:00 --> nothing\n\nSTYLE\n::cue { color: red }\n\n'],
    ['a cue without text', '00:00:05.000 --> 00:00:06.000\n'],
    ['a cue that ends as it begins', '00:00:05.000 --> 00:00:05.000\nRien\n\n'],
    ['a cue that ends before it begins', '00:00:06.000 --> 00:00:05.000\nRien\n\n'],
    ['a cue elsewhere', '01:00:05.000 --> 01:00:06.000\nAilleurs\n\n'],
    ['an empty file', ''],
    ['no WebVTT at all', '\u0000\uFFFF{}<MPD/>'],
  ])('shows nothing of %s', (_what, text) => {
    const samples = samplesOf(wvttSegment(HEADER + text, SECOND_SEGMENT))
    expect(samples.flatMap(({ cues }) => cues).map(({ text: said }) => said)).toEqual([])
  })

  it('reads line ends of other systems, cue identifiers and times without hours', () => {
    const text =
      'WEBVTT\r\n\r\n1\r\n00:05.000 --> 00:06.000\r\nUn\r\n\r\nname\r00:06.000 --> 00:07.000\rDeux\r\r'
    const said = samplesOf(wvttSegment(text, SECOND_SEGMENT)).flatMap(({ cues }) =>
      cues.map((cue) => cue.text),
    )
    expect(said).toEqual(['Un', 'Deux'])
  })

  it('shows the same as WebVTT at every moment of every segment, for any cues', () => {
    const stamp = (ms: number) => new Date(ms).toISOString().slice(11, 23)
    const cue = fc.record({
      start: fc.integer({ min: 0, max: 20_000 }),
      length: fc.integer({ min: 1, max: 9000 }),
      text: fc.stringMatching(/^[a-zé]{1,8}$/),
    })
    const timescale = fc.constantFrom(1000, 12_288, 24_000, 90_000)
    fc.assert(
      fc.property(fc.array(cue, { maxLength: 12 }), timescale, (cues, scale) => {
        const webVtt =
          HEADER +
          cues
            .map(({ start, length, text }) => `${stamp(start)} --> ${stamp(start + length)}\n${text}\n\n`)
            .join('')
        for (let number = 1; number <= 5; number++) {
          const segment = {
            number,
            startTicks: (number - 1) * 4 * scale,
            durationTicks: 4 * scale,
            timescale: scale,
          }
          const samples = samplesOf(wvttSegment(webVtt, segment))
          expect(samples.at(0)?.from).toBe(segment.startTicks)
          expect(samples.at(-1)?.to).toBe(segment.startTicks + segment.durationTicks)
          for (const { from, to, cues: shown } of samples) {
            const middle = (((from + to) / 2) * 1000) / scale
            const expected = cues.filter(({ start, length }) => start <= middle && start + length > middle)
            expect(shown.map(({ text }) => text)).toEqual(expected.map(({ text }) => text))
          }
        }
      }),
      { numRuns: 60 },
    )
  })
})
