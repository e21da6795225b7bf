import { describe, expect, it } from 'vitest'
import { sanitiseCueText } from './subtitle-markup.ts'
import { segmentCues } from './subtitle-segments.ts'
import { parseSubtitles } from './subtitles.ts'
import { decodeText } from './text-encoding.ts'

const HEAD = 'WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n'

describe('decoding a file of', () => {
  const text = '1\n00:00:01,000 --> 00:00:02,000\nÀ l’été, déjà — ça suffit\n'
  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 LE with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 LE without', Buffer.from(text, 'utf16le')],
    ['UTF-16 BE with a mark', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
    ['UTF-16 BE without', Buffer.from(text, 'utf16le').swap16()],
    ['Windows line ends', Buffer.from(text.replaceAll('\n', '\r\n'))],
    ['old Mac line ends', Buffer.from(text.replaceAll('\n', '\r'))],
  ])('%s', (_, data) => expect(decodeText(data, 'fra')).toBe(text))

  it('Windows-1252', () => {
    expect(decodeText(Buffer.from([0xc0, 0x20, 0x6c, 0x92, 0xe9, 0x74, 0xe9, 0x85]), 'fra')).toBe('À l’été…')
  })

  it('the code page of the language', () => {
    expect(decodeText(Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), 'rus')).toBe('Привет')
    expect(decodeText(Buffer.from([0xb3, 0xf3, 0x9c, 0xe6]), 'pol')).toBe('łóść')
    expect(decodeText(Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), 'zho')).toBe('你好')
    expect(decodeText(Buffer.from([0xa7, 0x41, 0xa6, 0x6e]), 'zho', 'Hant')).toBe('你好')
    expect(decodeText(Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), 'zho', 'Hans')).toBe('你好')
    expect(decodeText(Buffer.from([0x93, 0xfa, 0x96, 0x7b]), 'jpn')).toBe('日本')
    expect(decodeText(Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]), 'kor')).toBe('한글')
    expect(decodeText(Buffer.from([0xe4, 0xb7, 0xc2]), 'tha')).toBe('ไทย')
  })

  it('an empty file', () => expect(decodeText(Buffer.alloc(0), 'fra')).toBe(''))
})

describe('cues', () => {
  it('are no drawings of ASS', () => {
    const { cues, problems } = parseSubtitles(
      [
        '00:01.000 --> 00:02.000',
        'm 0 0 l 100 0 100 100 0 100',
        '',
        '00:01.000 --> 00:02.000',
        `m 12.5 -3 b ${'1 2 '.repeat(900)}c`,
        '',
        '00:03.000 --> 00:04.000',
        'm 100 is a distance',
      ].join('\n'),
    )
    expect(cues.map(({ text }) => text)).toEqual(['m 100 is a distance'])
    expect(problems).toEqual([])
  })

  it('of SubRip', () => {
    const { cues, problems } = parseSubtitles(
      '1\n00:00:01,500 --> 00:00:02,000\nOne\ntwo\n\n2\n01:00:00,000-->01:00:01,5\n<i>Three</i>\n',
    )
    expect(problems).toEqual([])
    expect(cues).toEqual([
      { startSeconds: 1.5, endSeconds: 2, text: 'One\ntwo', settings: '' },
      { startSeconds: 3600, endSeconds: 3601.5, text: '<i>Three</i>', settings: '' },
    ])
  })

  it('of WebVTT, without styles and notes, with the known settings', () => {
    const { cues } = parseSubtitles(
      [
        'WEBVTT - title',
        'X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000',
        '',
        'STYLE',
        '::cue { background: url(http://example.org) }',
        '',
        'NOTE nothing',
        '',
        'intro',
        '00:01.000 --> 00:02.000 line:10% position:50%,center region:evil align:left onload:x',
        '<v.loud Ann><c.yellow>Hello</c> <00:01.500>there &amp; here',
        '',
      ].join('\n'),
    )
    expect(cues).toEqual([
      {
        startSeconds: 1,
        endSeconds: 2,
        text: 'Hello there &amp; here',
        settings: 'line:10% position:50%,center align:left',
      },
    ])
  })

  it('are sorted by start', () => {
    const { cues } = parseSubtitles('00:00:09,000 --> 00:00:10,000\nb\n\n00:00:01,000 --> 00:00:02,000\na\n')
    expect(cues.map(({ text }) => text)).toEqual(['a', 'b'])
  })

  it('that make no sense are listed with their line; the rest is kept', () => {
    const { cues, problems } = parseSubtitles(
      [
        '1',
        '00:00:05,000 --> 00:00:04,000',
        'backwards',
        '',
        '2',
        '00:00:06,000 --> 00:00:07,000',
        '',
        '',
        '3',
        '0x:00 --> never',
        'what',
        '',
        '4',
        '00:00:08,000 --> 00:00:09,000',
        'fine',
        '5',
        '00:00:10,000 --> 00:00:11,000',
        'no blank line before',
        '',
      ].join('\n'),
    )
    expect(cues.map(({ text }) => text)).toEqual(['fine', 'no blank line before'])
    expect(problems).toEqual([
      { line: 2, reason: 'ends before it begins' },
      { line: 6, reason: 'has no text' },
      { line: 10, reason: 'not a timing line' },
    ])
  })

  it('that ASS places at the top stay there', () => {
    const { cues } = parseSubtitles('00:00:01,000 --> 00:00:02,000\n{\\an8}Above\n')
    expect(cues).toMatchObject([{ text: 'Above', settings: 'line:10%' }])
  })

  it('of a hostile file take little time and memory', () => {
    const bomb = `${'9'.repeat(100_000)}\n${'<'.repeat(100_000)}\n${'00:00:01,000 --> '.repeat(20_000)}\n`
    const begun = performance.now()
    expect(parseSubtitles(bomb).cues).toEqual([])
    const long = parseSubtitles(`00:00:01,000 --> 00:00:02,000\n${'<b'.repeat(50_000)}\n`)
    expect(long.problems).toEqual([{ line: 1, reason: 'is too long' }])
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})

describe('markup', () => {
  it.each([
    ['<b>a</b>', '<b>a</b>'],
    ['<B>a', '<b>a</b>'],
    ['<i><b>a</i>b</b>', '<i><b>a</b></i>b'],
    ['</i>a', 'a'],
    ['<font color="red">a</font>', 'a'],
    ['<script>alert(1)</script>', 'alert(1)'],
    ['<img src=x onerror=alert(1)>a', 'a'],
    ['<i onclick="x">a</i>', '<i>a</i>'],
    ['1 < 2 > 0 & so on', '1 &lt; 2 &gt; 0 &amp; so on'],
    ['&lt;b&gt;', '&lt;b&gt;'],
    ['a\n--> \nb', 'a\n--&gt;\nb'],
    ['{\\an8}{\\c&H0000FF&}a', 'a'],
    ['a\u202Eb\u0000c\u0007', 'abc'],
    ['a\n\n  b  ', 'a\nb'],
    ['<', '&lt;'],
    ['<b', '&lt;b'],
  ])('%j becomes %j', (text, payload) => expect(sanitiseCueText(text)).toBe(payload))
})

describe('segments', () => {
  const cue = (startSeconds: number, endSeconds: number, text: string) => ({
    startSeconds,
    endSeconds,
    text,
    settings: '',
  })

  it('exist for every segment of the video, even without cues', () => {
    expect([...segmentCues([], [4, 4, 1])]).toEqual([HEAD, HEAD, HEAD])
  })

  it('both contain a cue that crosses their boundary; only the first contains a cue that ends on it', () => {
    const texts = [...segmentCues([cue(0, 9, 'long'), cue(1, 4, 'ends'), cue(4, 5, 'begins')], [4, 4, 4])]
    expect(texts.map((text) => text.match(/long|ends|begins/g))).toEqual([
      ['long', 'ends'],
      ['long', 'begins'],
      ['long'],
    ])
    expect(texts[1]).toBe(
      `${HEAD}00:00:00.000 --> 00:00:09.000\nlong\n\n00:00:04.000 --> 00:00:05.000\nbegins\n\n`,
    )
  })

  it('leave out cues after the film, and keep hours', () => {
    const texts = [
      ...segmentCues(
        [cue(3661.5, 3662, 'late'), cue(9999, 10000, 'never')],
        Array.from({ length: 916 }, () => 4),
      ),
    ]
    expect(texts[915]).toBe(`${HEAD}01:01:01.500 --> 01:01:02.000\nlate\n\n`)
    expect(texts.join('')).not.toContain('never')
  })
})
