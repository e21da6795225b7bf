import { parse } from 'mpd-parser'
import { describe, expect, it } from 'vitest'
import { asWholePlaylist, withinDepth } from './relay-depth.service.ts'

const NOON = Date.UTC(2026, 10, 28, 12)

const within = async (format: 'hls' | 'dash', body: string, seconds: number) =>
  ((await withinDepth({ kind: 'manifest', format, body }, seconds, NOON)) as { body: string }).body
const hls = async (body: string, seconds: number) => await within('hls', body, seconds)
const dash = async (body: string, seconds: number) => await within('dash', body, seconds)

const playlist = (...lines: string[]) =>
  ['#EXTM3U', '#EXT-X-TARGETDURATION:10', '#EXT-X-MEDIA-SEQUENCE:7', ...lines, ''].join('\n')
const segments = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ['#EXTINF:10,', `/seg-${from + index}.ts`]).flat()

describe('a relayed manifest that may not reach far back', () => {
  it('HLS keeps the newest segments, counts the others, and keeps the keys and the map that still count', async () => {
    const key = '#EXT-X-KEY:METHOD=AES-128,URI="/key"'
    const body = playlist(
      '#EXT-X-MAP:URI="/init.mp4"',
      key,
      ...segments(0, 4),
      '#EXT-X-DISCONTINUITY',
      ...segments(4, 12),
    )
    expect(await hls(body, 60)).toBe(
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

  it('HLS keeps a key that changes among the dropped segments, and everything after the last segment', async () => {
    const body = playlist(
      '#EXT-X-KEY:METHOD=AES-128,URI="/old"',
      ...segments(0, 2),
      '#EXT-X-KEY:METHOD=AES-128,URI="/new"',
      ...segments(2, 10),
      '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="/next"',
    )
    const kept = await hls(body, 60)
    expect(kept).not.toContain('/old')
    expect(kept.match(/#EXT-X-KEY:[^\n]*/g)).toEqual(['#EXT-X-KEY:METHOD=AES-128,URI="/new"'])
    expect(kept.trimEnd().endsWith('#EXT-X-PRELOAD-HINT:TYPE=PART,URI="/next"')).toBe(true)
  })

  it('HLS dates the first kept segment by the last date among the dropped ones', async () => {
    const date = (text: string) => `#EXT-X-PROGRAM-DATE-TIME:${text}`
    const dates = async (...lines: string[]) =>
      (await hls(playlist(...lines), 60)).match(/(?<=#EXT-X-PROGRAM-DATE-TIME:).*/g)
    const early = date('2026-11-28T12:00:00.500+01:00')
    expect(await dates(early, ...segments(0, 12))).toEqual(['2026-11-28T11:01:00.500Z'])
    const late = date('2026-11-28T11:10:00Z')
    expect(await dates(early, ...segments(0, 3), late, ...segments(3, 12))).toEqual([
      '2026-11-28T11:10:30.000Z',
    ])
    expect(await dates(early, ...segments(0, 6), late, ...segments(6, 12))).toEqual(['2026-11-28T11:10:00Z'])
    // After a discontinuity, the earlier date no longer counts.
    expect(await dates(early, ...segments(0, 3), '#EXT-X-DISCONTINUITY', ...segments(3, 12))).toBeNull()
    expect(await dates(early, ...segments(0, 6), '#EXT-X-DISCONTINUITY', ...segments(6, 12))).toBeNull()
    expect(await dates(date('noon'), ...segments(0, 12))).toBeNull()
  })

  it('HLS gives the first kept byte range the offset that follows from the dropped ones', async () => {
    const part = (range: string) => ['#EXTINF:10,', `#EXT-X-BYTERANGE:${range}`, '/all.ts']
    const ranges = async (...lines: string[]) => (await hls(playlist(...lines), 20)).match(/(?<=RANGE:).*/g)
    expect(await ranges(...part('100@20'), ...part('30'), ...part('7'), ...part('8'))).toEqual(['7@150', '8'])
    expect(await ranges(...part('100@20'), ...part('7@500'), ...part('8'))).toEqual(['7@500', '8'])
    expect(await ranges(...segments(0, 1), ...part('7'), ...part('8'))).toEqual(['7', '8'])
  })

  it.each([
    ['a multivariant playlist', playlist('#EXT-X-STREAM-INF:BANDWIDTH=1', '/low.m3u8')],
    ['an empty playlist', playlist()],
    ['no playlist', 'nothing'],
  ])('leaves %s as it is', async (_what, body) => {
    expect(await hls(body, 60)).toBe(body)
  })

  it('HLS gives whole playlists, so that delta updates are neither offered nor asked of the provider', async () => {
    const controls = async (attributes: string) =>
      (await hls(`#EXTM3U\n#EXT-X-SERVER-CONTROL:${attributes}\n#EXTINF:6,\na.ts\n#EXTINF:6,\nb.ts\n`, 6))
        .split('\n')
        .filter((line) => line.startsWith('#EXT-X-SERVER-CONTROL'))
    expect(await controls('CAN-BLOCK-RELOAD=YES,CAN-SKIP-UNTIL=36.0,PART-HOLD-BACK=3')).toEqual([
      '#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=3',
    ])
    expect(await controls('CAN-SKIP-UNTIL=36.0,CAN-SKIP-DATERANGES=YES,HOLD-BACK=18')).toEqual([
      '#EXT-X-SERVER-CONTROL:HOLD-BACK=18',
    ])
    expect(await controls('CAN-SKIP-UNTIL=36.0')).toEqual([])
    expect(asWholePlaylist('live.m3u8?s=abc&_HLS_msn=7&_HLS_skip=YES', 60)).toBe('live.m3u8?s=abc&_HLS_msn=7')
    expect(asWholePlaylist('live.m3u8?_HLS_skip=v2', 60)).toBe('live.m3u8')
    expect(asWholePlaylist('live.m3u8?s=abc&_HLS_skip=YES', Number.POSITIVE_INFINITY)).toBe(
      'live.m3u8?s=abc&_HLS_skip=YES',
    )
  })

  it('leaves everything as it is where the guide forbids nothing', async () => {
    const body = playlist(...segments(0, 100))
    expect(await hls(body, Number.POSITIVE_INFINITY)).toBe(body)
  })

  it('keeps a short playlist whole', async () => {
    expect(await hls(playlist(...segments(0, 3)), 60)).toContain('#EXT-X-MEDIA-SEQUENCE:7\n')
  })

  it.each([
    ['<MPD type="dynamic" timeShiftBufferDepth="PT2H"><Period/></MPD>'],
    ['<MPD type="dynamic"><Period/></MPD>'],
  ])('DASH tells players how far they may go back: %s', async (body) => {
    expect(await dash(body, 60)).toBe('<MPD type="dynamic" timeShiftBufferDepth="PT60S"><Period/></MPD>')
  })

  it('DASH leaves a film as it is', async () => {
    const body = '<MPD type="static"><Period/></MPD>'
    expect(await dash(body, 60)).toBe(body)
  })

  /** A live manifest that began an hour before noon. */
  const live = (...periods: string[]) =>
    `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" minimumUpdatePeriod="PT2S" availabilityStartTime="2026-11-28T11:00:00Z">${periods.join('')}</MPD>`
  const period = (attributes: string, ...sets: string[]) =>
    `<Period ${attributes}>${sets.map((set) => `<AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1" codecs="avc1.4D401E">${set}</Representation></AdaptationSet>`).join('')}</Period>`
  /** Returns the presentation time and the address of each segment that a player reads. */
  const played = (body: string) =>
    (parse(body, { manifestUri: 'http://x/y.mpd', NOW: NOON }).playlists[0]?.segments ?? []).map(
      ({ presentationTime, resolvedUri }) => [presentationTime, resolvedUri.replace('http://x/', '')],
    )

  it.each([
    ['a run', '<S t="900" d="40" r="899"/>', 40],
    ['a run without a stated end', '<S t="900" d="40" r="-1"/>', 40],
    ['runs, of which one has no stated end', '<S t="900" d="40" r="-1"/><S t="30900" d="20" r="299"/>', 20],
    ['runs without times', '<S t="900" d="40" r="99"/><S d="40" r="798"/><S d="40"/>', 40],
    [
      'single segments',
      Array.from({ length: 900 }, (_, at) => `<S t="${900 + at * 40}" d="40"/>`).join(''),
      40,
    ],
  ])(
    'DASH lists no segment of %s that ended earlier, and numbers the others as before',
    async (_what, runs, ticks) => {
      // For runs without a stated end, mpd-parser supports only `$Number$`.
      const names = runs.endsWith('r="-1"/>') ? ['$Number$'] : ['$Number$', '$Time$']
      for (const name of names) {
        const template = `<SegmentTemplate timescale="10" startNumber="7" presentationTimeOffset="900" initialization="i.mp4" media="s-${name}.m4s"><SegmentTimeline>${runs}</SegmentTimeline></SegmentTemplate>`
        const body = live(period('id="a" start="PT0S"', template))
        const kept = await dash(body, 60)
        const all = played(body)
        expect(all.length).toBeGreaterThan(60 / (ticks / 10))
        expect(played(kept)).toEqual(all.filter(([time]) => Number(time) + ticks / 10 > 3540))
      }
    },
  )

  it('DASH lists no address of a SegmentList that ended earlier', async () => {
    const addresses = Array.from({ length: 900 }, (_, at) => `<SegmentURL media="${at}.m4s"/>`).join('')
    for (const times of ['', '<SegmentTimeline><S t="0" d="4" r="899"/></SegmentTimeline>']) {
      const duration = times === '' ? ' duration="4"' : ''
      const list = `<SegmentList timescale="1"${duration}><Initialization sourceURL="i.mp4"/>${times}${addresses}</SegmentList>`
      const kept = await dash(live(period('id="a" start="PT0S"', list)), 60)
      expect(kept.match(/(?<=<SegmentURL media=")\d+/g)).toEqual(
        Array.from({ length: 15 }, (_, at) => `${885 + at}`),
      )
      expect(kept).toContain('<S t="3540" d="4" r="14"/>')
    }
  })

  it('DASH reads times and numbers of outer levels, and moves the numbers of inner ones', async () => {
    const body = live(
      `<Period start="PT0S"><SegmentTemplate timescale="10" media="$RepresentationID$-$Number$.m4s"/><AdaptationSet mimeType="video/mp4"><SegmentTemplate><SegmentTimeline><S t="0" d="40" r="899"/></SegmentTimeline></SegmentTemplate><Representation id="v" bandwidth="1"><SegmentTemplate startNumber="100"/></Representation></AdaptationSet></Period>`,
    )
    const kept = await dash(body, 60)
    expect(kept).toContain('<SegmentTemplate startNumber="886"><SegmentTimeline><S t="35400" d="40" r="14"/>')
    expect(kept).toContain('<SegmentTemplate startNumber="985"/>')
  })

  it('DASH lists no Period that ended earlier, and the others begin as before', async () => {
    const template = (media: string, runs: string) =>
      `<SegmentTemplate timescale="1" initialization="i.mp4" media="${media}-$Number$.m4s"><SegmentTimeline>${runs}</SegmentTimeline></SegmentTemplate>`
    const kept = await dash(
      live(
        period('id="old" duration="PT50M"', template('old', '<S t="0" d="4" r="749"/>')),
        period('id="last" duration="PT9M40S"', template('last', '<S t="0" d="4" r="144"/>')),
        period('id="new"', template('new', '<S t="0" d="4" r="4"/>')),
      ),
      60,
    )
    expect(kept).not.toContain('old')
    expect(kept).toContain('<Period id="last" duration="PT9M40S" start="PT3000S">')
    expect(kept).toContain('<Period id="new" start="PT3580S">')
    expect(kept).toContain('<S t="540" d="4" r="9"/>')
    expect(kept).toContain('<S t="0" d="4" r="4"/>')
  })

  it('DASH lists no track whose newest segment ended earlier', async () => {
    const template = (runs: string) =>
      `<SegmentTemplate timescale="1" media="$Number$.m4s"><SegmentTimeline>${runs}</SegmentTimeline></SegmentTemplate>`
    const kept = await dash(
      live(period('start="PT0S"', template('<S t="0" d="4" r="899"/>'), template('<S t="0" d="4"/>'))),
      60,
    )
    expect(kept.match(/<AdaptationSet/g)).toHaveLength(1)
    expect(kept).toContain('<S t="3540" d="4" r="14"/>')
  })

  it.each([
    ['<SegmentTimeline/>'],
    ['<SegmentTimeline><S/><S d="0"/><S d="x" r="y"/></SegmentTimeline>'],
    ['<SegmentTimeline><S t="1e99" d="1" r="1e99"/></SegmentTimeline>'],
    ['<SegmentTimeline><S t="-4" d="4" r="-1"/></SegmentTimeline>'],
  ])('DASH that no player can read is no failure: %s', async (timeline) => {
    for (const start of ['start="PT0S"', 'start="soon"', '']) {
      const body = live(period(start, `<SegmentTemplate media="$Number$.m4s">${timeline}</SegmentTemplate>`))
      for (const each of [body, body.replace('2026-11-28T11:00:00Z', 'never')])
        expect(await dash(each, 60)).toContain('timeShiftBufferDepth="PT60S"')
    }
  })
})
