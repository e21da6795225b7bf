import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TeletextCues } from './teletext-cues.ts'

/** Returns a teletext page in the form in which ffmpeg writes it. */
const page = (seconds: number, text: string) =>
  `\n00:${seconds.toFixed(3).padStart(6, '0')} --> 1193:02:57.295\n${text}\n`

const times = (cues: ReturnType<TeletextCues['take']>) =>
  cues.map(({ startSeconds, endSeconds, text }) => [startSeconds, endSeconds, text])

describe('subtitles in teletext', () => {
  it('end with the next page, and are cut at the end of a segment', () => {
    const cues = new TeletextCues()
    cues.push(`WEBVTT\n${page(11, 'Bonjour\ntout le monde')}`)
    expect(times(cues.take(10, 12))).toEqual([[11, 12, 'Bonjour\ntout le monde']])
    cues.push(page(13, 'Adieu'))
    expect(times(cues.take(12, 14))).toEqual([
      [12, 13, 'Bonjour\ntout le monde'],
      [13, 14, 'Adieu'],
    ])
    for (const start of [14, 16, 18])
      expect(times(cues.take(start, start + 2))).toEqual([[start, start + 2, 'Adieu']])
    // Without a following teletext page, the page disappears after the maximum time.
    expect(times(cues.take(20, 22))).toEqual([])
    expect(times(cues.take(22, 24))).toEqual([])
  })

  it('stay as long as they are sent again', () => {
    const cues = new TeletextCues()
    for (const seconds of [10, 14, 18]) cues.push(page(seconds, 'Toujours là'))
    expect(times(cues.take(10, 24))).toEqual([[10, 24, 'Toujours là']])
    expect(times(cues.take(24, 30))).toEqual([[24, 25, 'Toujours là']])
  })

  it('appear late if they arrive late, and in two parts if they were cut off', () => {
    const cues = new TeletextCues()
    const text = page(11, 'En retard')
    cues.push(text.slice(0, 20))
    expect(cues.take(10, 12)).toEqual([])
    cues.push(text.slice(20))
    expect(times(cues.take(12, 14))).toEqual([[12, 14, 'En retard']])
  })

  it('are placed after the times of MPEG-TS have begun anew', () => {
    const cues = new TeletextCues()
    cues.take(2 ** 33 / 90_000, 2 ** 33 / 90_000 + 2)
    cues.push(page(3, 'Au lendemain'))
    const [cue] = cues.take(2 ** 33 / 90_000 + 2, 2 ** 33 / 90_000 + 4)
    expect(cue?.startSeconds).toBeCloseTo(2 ** 33 / 90_000 + 3)
  })

  it('cannot add markup', () => {
    const cues = new TeletextCues()
    cues.push(page(10, '<script>x</script> --> &amp; <b>gras'))
    expect(times(cues.take(10, 12))).toEqual([[10, 12, 'x --&gt; &amp; <b>gras</b>']])
  })

  it('survive random text, and keep little of it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.constant(page(10, 'a')))), (pieces) => {
        const cues = new TeletextCues()
        for (const piece of pieces) cues.push(piece)
        for (const { startSeconds, endSeconds } of cues.take(0, 60))
          expect(endSeconds).toBeGreaterThan(startSeconds)
      }),
    )
    const cues = new TeletextCues()
    for (let number = 0; number < 5000; number++) cues.push(page(10 + number / 1000, `page ${number}`))
    expect(cues.take(0, 60).length).toBeLessThanOrEqual(200)
  })
})
