import { describe, expect, it } from 'vitest'
import { asWholePlaylist, withinDepth } from './relay-depth.service.ts'

const hls = (body: string, seconds: number) =>
  (withinDepth({ kind: 'manifest', format: 'hls', body }, seconds) as { body: string }).body
const dash = (body: string, seconds: number) =>
  (withinDepth({ kind: 'manifest', format: 'dash', body }, seconds) as { body: string }).body

const playlist = (...lines: string[]) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:10', '#EXT-X-MEDIA-SEQUENCE:7', ...lines, ''].join('\n')
const segments = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ['#EXTINF:10,', `/seg-${from + index}.ts`]).flat()

describe('a relayed manifest that may not reach far back', () => {
  it('HLS keeps the newest segments, counts the others, and keeps the keys and the map that still count', () => {
    const key = '#EXT-X-KEY:METHOD=AES-128,URI="/key"'
    const body = playlist(
      '#EXT-X-MAP:URI="/init.mp4"',
      key,
      ...segments(0, 4),
      '#EXT-X-DISCONTINUITY',
      ...segments(4, 12),
    )
    expect(hls(body, 60)).toBe(
      [
        '#EXTM3U',
        '#EXT-X-TARGETDURATION:10',
        '#EXT-X-MEDIA-SEQUENCE:13',
        '#EXT-X-DISCONTINUITY-SEQUENCE:1',
        key,
        '#EXT-X-MAP:URI="/init.mp4"',
        ...segments(6, 12),
        '',
      ].join('\n'),
    )
  })

  it('HLS keeps a key that changes among the dropped segments, and everything after the last segment', () => {
    const body = playlist(
      '#EXT-X-KEY:METHOD=AES-128,URI="/old"',
      ...segments(0, 2),
      '#EXT-X-KEY:METHOD=AES-128,URI="/new"',
      ...segments(2, 10),
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="/next"',
    )
    const kept = hls(body, 60)
    expect(kept).not.toContain('/old')
    expect(kept.match(/#EXT-X-KEY:[^\n]*/g)).toEqual(['#EXT-X-KEY:METHOD=AES-128,URI="/new"'])
    expect(kept.trimEnd().endsWith('#EXT-X-PRELOAD-HINT:TYPE=PART,URI="/next"')).toBe(true)
  })

  it.each([
    ['a multivariant playlist', playlist('#EXT-X-STREAM-INF:BANDWIDTH=1', '/low.m3u8')],
    ['an empty playlist', playlist()],
    ['no playlist', 'nothing'],
  ])('leaves %s as it is', (_what, body) => {
    expect(hls(body, 60)).toBe(body)
  })

  it('HLS gives whole playlists, so that delta updates are neither offered nor asked of the provider', () => {
    const controls = (attributes: string) =>
      hls(`#EXTM3U\n#EXT-X-SERVER-CONTROL:${attributes}\n#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\n`, 6)
        .split('\n')
        .filter((line) => line.startsWith('#EXT-X-SERVER-CONTROL'))
    expect(controls('CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36.0,PART-HOLD-BACK=3')).toEqual([
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3',
    ])
    expect(controls('CAN-SKIP-UNTIL=36.0,CAN-SKIP-DATERANGES=YES,HOLD-BACK=18')).toEqual([
      '#EXT-X-SERVER-CONTROL:HOLD-BACK=18',
    ])
    expect(controls('CAN-SKIP-UNTIL=36.0')).toEqual([])
    expect(asWholePlaylist('live.m3u8?s=abc&_HLS_msn=7&_HLS_skip=YES', 60)).toBe('live.m3u8?s=abc&_HLS_msn=7')
    expect(asWholePlaylist('live.m3u8?_HLS_skip=v2', 60)).toBe('live.m3u8')
    expect(asWholePlaylist('live.m3u8?s=abc&_HLS_skip=YES', Number.POSITIVE_INFINITY)).toBe(
      'live.m3u8?s=abc&_HLS_skip=YES',
    )
  })

  it('leaves everything as it is where the guide forbids nothing', () => {
    const body = playlist(...segments(0, 100))
    expect(hls(body, Number.POSITIVE_INFINITY)).toBe(body)
  })

  it('keeps a short playlist whole', () => {
    expect(hls(playlist(...segments(0, 3)), 60)).toContain('#EXT-X-MEDIA-SEQUENCE:7\n')
  })

  it.each([
    ['<MPD type="dynamic" timeShiftBufferDepth="PT2H"><Period/></MPD>'],
    ['<MPD type="dynamic"><Period/></MPD>'],
  ])('DASH tells players how far they may go back: %s', (body) => {
    expect(dash(body, 60)).toBe('<MPD type="dynamic" timeShiftBufferDepth="PT60S"><Period/></MPD>')
  })

  it('DASH leaves a film as it is', () => {
    const body = '<MPD type="static"><Period/></MPD>'
    expect(dash(body, 60)).toBe(body)
  })
})
