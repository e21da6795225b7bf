import type { Image } from '@ondine/contract/entities'
import type { Block } from '@ondine/contract/rich-text'
import { describe, expect, it } from 'vitest'
import { MarkdownError, parseMarkdown, renderMarkdown } from './markdown.ts'

const PICTURE: Image = { url: '/images/a', width: 1600, height: 900, color: '#112233' }

function render(text: string, pictures: Record<string, Image> = {}) {
  return renderMarkdown(parseMarkdown(text), new Map(Object.entries(pictures)))
}

function blocks(text: string): Block[] {
  return render(text).blocks
}

describe('supported content of a text', () => {
  it('renders paragraphs with their inline formatting', () => {
    expect(blocks('A **strong** and *soft* [word](/live), `code` and ~~gone~~.')).toEqual([
      {
        kind: 'paragraph',
        content: [
          { kind: 'text', text: 'A ' },
          { kind: 'strong', content: [{ kind: 'text', text: 'strong' }] },
          { kind: 'text', text: ' and ' },
          { kind: 'emphasis', content: [{ kind: 'text', text: 'soft' }] },
          { kind: 'text', text: ' ' },
          { kind: 'link', address: '/live', content: [{ kind: 'text', text: 'word' }] },
          { kind: 'text', text: ', ' },
          { kind: 'code', text: 'code' },
          { kind: 'text', text: ' and ' },
          { kind: 'deleted', content: [{ kind: 'text', text: 'gone' }] },
          { kind: 'text', text: '.' },
        ],
      },
    ])
  })

  it('gives every heading a unique anchor, one level below the title', () => {
    const headings = blocks('# L’écume\n\n## L’écume\n\n### Bas\n\n###### Plus bas\n\n## ???')
    expect(headings).toMatchObject([
      { level: 2, id: 'l-ecume' },
      { level: 2, id: 'l-ecume-2' },
      { level: 3, id: 'bas' },
      { level: 4, id: 'plus-bas' },
      { level: 2, id: 'section' },
    ])
  })

  it('keeps lists, quotes, tables, code and rules', () => {
    const all = blocks(
      '3. a\n4. b\n   - c\n\n> q\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n\n```\nx < y\n```\n\n---',
    )
    expect(all.map(({ kind }) => kind)).toEqual(['list', 'quote', 'table', 'code', 'rule'])
    expect(all[0]).toMatchObject({ ordered: true, start: 3 })
    expect(all[2]).toMatchObject({ align: ['center', 'end'], rows: [[[{ text: '1' }], [{ text: '2' }]]] })
  })

  it('shows pictures from files beside the text, with captions, several on one line side by side', () => {
    const text =
      'Words ![A wave](wave.jpg "Morning")\n\n![One](wave.jpg) ![Two](wave.jpg)\n\n![Gone](gone.jpg)'
    const { blocks: all, remarks } = render(text, { 'wave.jpg': PICTURE })
    expect(all).toMatchObject([
      { kind: 'paragraph', content: [{ text: 'Words' }] },
      { kind: 'pictures', pictures: [{ image: PICTURE, alt: 'A wave', caption: 'Morning' }] },
      { kind: 'pictures', pictures: [{ alt: 'One' }, { alt: 'Two' }] },
    ])
    expect(remarks).toEqual([{ line: 5, reason: 'there is no picture gone.jpg' }])
  })

  it('shows pictures in links and emphasis, and names what it leaves out', () => {
    const picture = '![A wave](wave.jpg)'
    const shown = [{ kind: 'pictures', pictures: [{ image: PICTURE, alt: 'A wave' }] }]
    const of = (text: string) => render(text, { 'wave.jpg': PICTURE })
    expect(of(`**${picture}**`)).toMatchObject({ blocks: shown, remarks: [] })
    expect(of(`[${picture}](https://example.org/)`)).toMatchObject({
      blocks: shown,
      remarks: [{ line: 1, reason: 'the link of the picture to https://example.org/ is left out' }],
    })
    for (const text of [`## ${picture}`, `| ${picture} | b |\n|---|---|\n| 1 | 2 |`]) {
      expect(of(text).remarks, text).toEqual([
        { line: 1, reason: 'a picture is left out here; put it on a line of its own' },
      ])
    }
  })

  it('makes a card of a catalogue link that is alone on its line', () => {
    expect(blocks('[La Houle](vod_asset/la-houle)')).toEqual([
      { kind: 'card', reference: 'vod_asset/la-houle' },
    ])
    expect(blocks('[Rive](live_channel/4/Rive)')).toEqual([{ kind: 'card', reference: 'live_channel/4' }])
    expect(blocks('[Face/Off](vod_asset/12/Face/Off)')).toEqual([{ kind: 'card', reference: 'vod_asset/12' }])
    expect(blocks('See [La Houle](vod_asset/la-houle)')[0]?.kind).toBe('paragraph')
    expect(blocks('[Help](page/help)')[0]?.kind).toBe('paragraph')
  })

  it('shows the trailer of a film or a series', () => {
    expect(blocks('![Two minutes](trailer/la-houle)')).toEqual([
      { kind: 'trailer', reference: 'vod_asset/la-houle', caption: 'Two minutes' },
    ])
    expect(blocks('![](trailer/series/le-metier)')).toMatchObject([{ reference: 'series/le-metier' }])
  })

  it('computes the reading time', () => {
    expect(render('word '.repeat(1100)).readingMinutes).toBe(5)
    expect(render('').readingMinutes).toBe(1)
  })
})

describe('unsupported content of a text', () => {
  it.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
    '<iframe src="https://example.org"></iframe>',
    '<!-- --><script>alert(1)</script>',
    '<style>body{display:none}</style>',
    '<div\nonclick="x">\n\ntext',
  ])('leaves out and lists HTML: %j', (text) => {
    const { blocks: all, remarks } = render(text)
    expect(JSON.stringify(all)).not.toMatch(/<|onerror|onclick|onload|javascript:|iframe/)
    expect(remarks[0]?.reason).toBe('HTML is left out')
  })

  it('treats text that only resembles HTML as text', () => {
    expect(blocks('<svg/onload=alert(1)>')).toEqual([
      { kind: 'paragraph', content: [{ kind: 'text', text: '<svg/onload=alert(1)>' }] },
    ])
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript&#58;alert(1)',
    'java&#9;script:alert(1)',
    '&#1;javascript:alert(1)',
    'data:text/html;base64,PHNjcmlwdD4=',
    'vbscript:x',
    'file:///etc/passwd',
    '//example.org',
    '/\\\\example.org',
    'blob:https://example.org/x',
  ])('keeps only the text of a link to %s', (address) => {
    const { blocks: all, remarks } = render(`[read](<${address}>)`)
    expect(all).toEqual([{ kind: 'paragraph', content: [{ kind: 'text', text: 'read' }] }])
    expect(remarks).toHaveLength(1)
  })

  it.each(['https://example.org/a?b=c', 'mailto:a@example.org', 'tel:+331', '/live', 'page/faq', '#anchor'])(
    'keeps a link to %s',
    (address) => {
      expect(JSON.stringify(blocks(`[read](${address})`))).toContain(`"address":"${address}"`)
    },
  )

  it('shows no picture from other sites', () => {
    for (const url of ['https://example.org/a.png', 'data:image/svg+xml,x', 'javascript:x'])
      expect(render(`![a](${url})`).blocks).toEqual([])
  })

  it('refuses endless nesting, and finishes quickly on input that is hard to parse', () => {
    for (const text of ['>'.repeat(5000), '- '.repeat(5000), '['.repeat(50_000), '*'.repeat(20_000)])
      expect(() => render(text)).toThrow(MarkdownError)
    const deep = Array.from({ length: 30 }, (_, depth) => `${'  '.repeat(depth)}- x`).join('\n')
    expect(JSON.stringify(render(deep).blocks).length).toBeLessThan(5000)
    for (const text of [
      '*a _b '.repeat(3000),
      '![a]('.repeat(5000),
      '<a '.repeat(20_000),
      '`a``b```'.repeat(4000),
    ])
      expect(Array.isArray(render(text).blocks)).toBe(true)
  })
})
