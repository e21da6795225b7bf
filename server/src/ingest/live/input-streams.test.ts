import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type InputStream, StreamList } from './input-streams.ts'
import { copiesAll, planOutput } from './output-plan.ts'

/** A broadcast as ffmpeg lists it. */
const BROADCAST = `[mpegts @ 0x55d0] [warning] Could not find codec parameters for stream 6
[info] Input #0, mpegts, from 'srt://0.0.0.0:9000?mode=listener':
[info]   Duration: N/A, start: 1.400000, bitrate: N/A
[info]   Program 1${' '}
[info]     Metadata:
[info]       service_name    : Antenne
[info]   Stream #0:0[0x100]: Video: mpeg2video (Main) ([2][0][0][0] / 0x0002), yuv420p(tv, bt470bg, top first), 720x576 [SAR 64:45 DAR 16:9], 15000 kb/s, 25 fps, 25 tbr, 90k tbn
[info]     Side data:
[info]       cpb: bitrate max/min/avg: 15000000/0/0 buffer size: 1835008 vbv_delay: N/A
[info]   Stream #0:1[0x101](fre): Audio: mp2 ([3][0][0][0] / 0x0003), 48000 Hz, stereo, fltp, 192 kb/s
[info]   Stream #0:2[0x102](fre): Audio: aac (LC) ([15][0][0][0] / 0x000F), 48000 Hz, stereo, fltp, 72 kb/s (visual impaired) (descriptions)
[info]   Stream #0:3[0x103](qaa): Audio: eac3 ([135][0][0][0] / 0x0087), 48000 Hz, 5.1(side), fltp, 384 kb/s
[info]   Stream #0:4[0x104](fre): Subtitle: dvb_subtitle ([6][0][0][0] / 0x0006)
[info]   Stream #0:5[0x105]: Unknown: none ([134][0][0][0] / 0x0086)
[info]   Stream #0:6[0x106](eng): Audio: mp2 ([3][0][0][0] / 0x0003), 0 channels
[info]   Program 2${' '}
[info]   Stream #0:7[0x200]: Video: h264 (High) ([27][0][0][0] / 0x001B), yuv420p(tv, bt709, progressive), 1920x1080 [SAR 1:1 DAR 16:9], 29.97 fps, 59.94 tbr, 90k tbn
[info]   Stream #0:1[0x101](fre): Audio: mp2 ([3][0][0][0] / 0x0003), 48000 Hz, stereo, fltp, 192 kb/s
[info]   Stream #0:8[0x201](deu): Audio: aac (LC) ([15][0][0][0] / 0x000F), 48000 Hz, stereo, fltp, 72 kb/s
[info] Output #0, mp4, to 'pipe:1':
[info]   Stream #0:0: Video: h264 (libx264) (avc1 / 0x31637661), yuv420p, 1024x576
`

const NO_NEWS = { streams: undefined, isOutdated: false, hasNewData: false, hasAwaited: false }
const NOTHING = { video: false, audio: false }

function listOf(text: string, size = text.length): InputStream[] {
  const list = new StreamList()
  const found: InputStream[] = []
  for (let at = 0; at < text.length; at += size)
    found.push(...(list.push(text.slice(at, at + size)).streams ?? []))
  return found
}

const input = (...streams: string[]) =>
  `[info] Input #0, mpegts, from 'x':\n${streams.map((stream) => `[info]   Stream ${stream}\n`).join('')}[info] Output #0\n`

const H264 =
  '#0:0[0x100]: Video: h264 (High) ([27][0][0][0] / 0x001B), yuv420p(progressive), 1280x720 [SAR 1:1 DAR 16:9], 50 fps, 50 tbr, 90k tbn'
const AAC = '#0:1[0x101](fra): Audio: aac (LC) ([15][0][0][0] / 0x000F), 48000 Hz, stereo, fltp, 72 kb/s'

describe('the streams of a live input', () => {
  it.each([1, 7, 100_000])('are read in pieces of %i characters', (size) => {
    const streams = listOf(BROADCAST, size)
    expect(streams.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect(streams[0]).toMatchObject({
      id: '0x100',
      codec: 'mpeg2video',
      programme: 1,
      picture: { width: 720, height: 576, pixelAspect: 64 / 45, isInterlaced: true, framesPerSecond: 25 },
    })
    expect(streams[2]).toMatchObject({ codec: 'aac', profile: 'LC', language: 'fra' })
    expect(streams[3]).toMatchObject({ language: 'qaa', sound: { sampleRate: 48_000, layout: '5.1(side)' } })
    expect(streams[6]).toMatchObject({ kind: 'audio', sound: null })
    expect(streams[7]).toMatchObject({
      programme: 2,
      picture: { isInterlaced: false, framesPerSecond: 29.97, pixelAspect: 1 },
    })
  })

  it('are planned: one programme, encoded where devices cannot play it, and the rest is named', () => {
    const { plan, left } = planOutput(listOf(BROADCAST), NOTHING)
    expect(plan).toEqual({
      picture: {
        index: 0,
        isAnamorphic: true,
        encoding: expect.objectContaining({
          deinterlace: true,
          width: 1024,
          height: 576,
          rate: { numerator: 25, denominator: 1 },
        }),
      },
      sounds: [
        { index: 1, isEncoded: true },
        { index: 2, isEncoded: false },
        { index: 3, isEncoded: true },
      ],
      teletext: null,
      splices: null,
      awaited: [6],
    })
    expect(left).toEqual([
      'subtitle dvb_subtitle 0x104 (fra): subtitles that are pictures',
      'stream none 0x105: not supported',
      'audio mp2 0x106 (eng): nothing arrives',
      'video h264 0x200: belongs to another programme',
      'audio aac 0x201 (deu): belongs to another programme',
    ])
  })

  it('are copied without a plan if nothing has to be encoded', () => {
    const streams = listOf(input(H264, AAC))
    expect(copiesAll(planOutput(streams, NOTHING).plan, streams)).toBe(true)
    expect(copiesAll(planOutput(streams, { video: false, audio: true }).plan, streams)).toBe(false)
  })

  it.each([
    ['ten bits', H264.replace('yuv420p(', 'yuv420p10le(')],
    ['more colours', H264.replace('yuv420p(', 'yuv422p(')],
    ['fields', H264.replace('progressive', 'tv, bottom coded first (swapped)')],
    ['HEVC', H264.replace('h264 (High)', 'hevc (Main)')],
  ])('are encoded with %s', (_what, stream) => {
    const { plan } = planOutput(listOf(input(stream)), NOTHING)
    expect(plan.picture?.encoding).toMatchObject({ width: 1280, height: 720, rate: { numerator: 50 } })
  })

  it.each([
    ['LATM', AAC.replace('aac (LC)', 'aac_latm (LC)')],
    ['the Main profile', AAC.replace('(LC)', '(Main)')],
    ['seven channels', AAC.replace('stereo', '7.1')],
  ])('are encoded with sound of %s', (_what, stream) => {
    expect(planOutput(listOf(input(stream)), NOTHING).plan.sounds).toEqual([{ index: 1, isEncoded: true }])
  })

  it('are 500 at most, of which 8 sounds are taken', () => {
    const many = Array.from({ length: 2000 }, (_, index) => AAC.replace('#0:1', `#0:${index}`))
    const { plan, left } = planOutput(listOf(input(...many)), NOTHING)
    expect(plan.sounds).toHaveLength(8)
    expect(left).toHaveLength(492)
    expect(left[0]).toBe('audio aac 0x101 (fra): more than 8 sounds')
  })

  it('are not found in random text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (pieces) => {
        const list = new StreamList()
        for (const piece of pieces) expect(list.push(piece)).toEqual(NO_NEWS)
      }),
    )
    // The memory for an endless list must stay limited.
    const list = new StreamList()
    for (let part = 0; part < 100; part++) expect(list.push('x'.repeat(100_000))).toEqual(NO_NEWS)
  })

  it('are outdated once another one appears', () => {
    const list = new StreamList()
    list.push(input(H264))
    expect(list.push('[mpegts @ 0x1] [warning] New data stream 0:1 at pos:1 and DTS:2s\n')).toEqual({
      ...NO_NEWS,
      hasNewData: true,
    })
    const news = list.push('[mpegts @ 0x1] [warning] New audio stream 0:2 at pos:1 and DTS:2s\n')
    expect(news).toEqual({ ...NO_NEWS, isOutdated: true })
  })

  const SILENT = '#0:0[0x100]: Video: h264 ([27][0][0][0] / 0x001B), none, 90k tbr, 90k tbn'

  it('are taken without a declared picture that does not arrive, which is awaited', () => {
    const { plan, left } = planOutput(listOf(input(SILENT, AAC)), NOTHING)
    expect(plan).toMatchObject({ picture: null, sounds: [{ index: 1 }], awaited: [0] })
    expect(left).toEqual(['video h264 0x100: nothing arrives'])
    const second = H264.replace('#0:0', '#0:2')
    expect(planOutput(listOf(input(SILENT, AAC, second)), NOTHING).plan).toMatchObject({
      picture: { index: 2 },
      awaited: [0],
    })
    // Media arrives, and a key frame will tell the size.
    const begun = SILENT.replace('90k tbr', '25 fps, 25 tbr')
    expect(planOutput(listOf(input(begun, AAC)), NOTHING).plan).toMatchObject({ picture: { index: 0 } })
  })

  it('are awaited only if ffmpeg can decode them', () => {
    const unknown = ['none ([134][0][0][0] / 0x0086)', 'mpegh_3d_audio'].map(
      (codec, index) => `#0:${index + 1}: Audio: ${codec}, 0 channels`,
    )
    const { plan } = planOutput(listOf(input(H264, ...unknown)), NOTHING)
    expect(plan.sounds).toEqual([])
    // Without this field, a plan is the same as that of an earlier version, so the running ffmpeg continues.
    expect(plan).not.toHaveProperty('awaited')
  })

  it('are those of the first programme, even if only another one arrives', () => {
    const programmes = (first: string) =>
      listOf(
        `[info] Input #0, mpegts, from 'x':\n[info]   Program 1 \n[info]   Stream ${SILENT}\n[info]   Stream ${first}\n[info]   Program 2 \n[info]   Stream ${H264.replace('#0:0', '#0:2')}\n[info] Output #0\n`,
      )
    expect(planOutput(programmes(AAC), NOTHING).plan).toMatchObject({
      picture: null,
      sounds: [{ index: 1 }],
      awaited: [0],
    })
    const silent = '#0:1[0x101]: Audio: mp2, 0 channels'
    expect(planOutput(programmes(silent), NOTHING).plan).toMatchObject({
      picture: { index: 0 },
      sounds: [],
      awaited: [1],
    })
  })

  describe.each([
    ['h264 (High), yuv420p(progressive), 1920x1080', null, ['1280x720', '640x360']],
    ['h264 (High), yuv420p(progressive), 1920x1088', null, ['1270x720', '636x360']],
    ['h264 (High), yuv420p(progressive), 3840x2160', '1920x1080', ['1280x720', '640x360']],
    ['h264 (High 4:2:2), yuv422p(progressive), 1920x1080', '1920x1080', ['1280x720', '640x360']],
    ['h264 (High), yuv420p(tv, top first), 1920x1080', '1920x1080', ['1280x720', '640x360']],
    ['hevc (Main), yuv420p, 1280x720', '1280x720', ['640x360']],
    ['h264 (High), yuv420p(progressive), 720x576 [SAR 64:45 DAR 16:9]', null, ['640x360']],
    ['h264 (High), yuv420p(progressive), 640x360', null, []],
  ])('issue 19: with a ladder, of %s', (description, first, lower) => {
    const streams = listOf(input(`#0:0: Video: ${description}, 25 fps`, AAC))
    const { plan } = planOutput(streams, NOTHING, [1080, 720, 360])
    const sizeOf = ({ width, height }: { width: number; height: number }) => `${width}x${height}`
    const { encoding = null, lower: others = [] } = plan.picture ?? {}

    it(`are ${first === null ? 'copied' : `encoded to ${first}`}, with ${lower.length} lower renditions`, () => {
      expect(encoding && sizeOf(encoding)).toBe(first)
      expect(others.map(sizeOf)).toEqual(lower)
      expect(copiesAll(plan, streams)).toBe(first === null && lower.length === 0)
    })
  })

  it('issue 19: without a ladder, have one rendition, and are copied at any size', () => {
    const large = input('#0:0: Video: h264 (High), yuv420p(progressive), 3840x2160, 25 fps', AAC)
    expect(planOutput(listOf(large), NOTHING).plan.picture).toEqual({ index: 0, encoding: null })
    expect(planOutput(listOf(large), { video: true, audio: false }).plan.picture).toMatchObject({
      encoding: { width: 1920, height: 1080 },
    })
  })

  it.each([
    ['no size', 'h264 ([27][0][0][0] / 0x001B), none'],
    ['no rate', 'hevc (Main), yuv420p, 640x360'],
    ['an absurd shape', 'hevc (Main), yuv420p, 640x360 [SAR 1:99999 DAR 1:9], 0 fps'],
    ['a huge size', 'hevc (Main), yuv420p, 16384x16384 [SAR 1:1 DAR 1:1], 1000 fps'],
  ])('are planned with %s', (_what, description) => {
    const { plan } = planOutput(listOf(input(`#0:0: Video: ${description}`)), NOTHING)
    expect(plan.picture?.index).toBe(0)
    const { encoding } = plan.picture ?? {}
    if (!encoding) return
    expect(Math.max(encoding.width, encoding.height)).toBeLessThanOrEqual(1920)
    expect([encoding.width % 2, encoding.height % 2]).toEqual([0, 0])
    expect(encoding.rate.numerator / encoding.rate.denominator).toBeLessThanOrEqual(60)
    expect(encoding.bitRate).toBeGreaterThan(0)
  })
})
