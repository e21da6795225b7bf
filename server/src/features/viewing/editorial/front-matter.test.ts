import { describe, expect, it } from 'vitest'
import { type Article, readArticle } from './front-matter.ts'

const good = (front: string) => readArticle(`---\n${front}\n---\nText`) as Article
const bad = (front: string) => readArticle(`---\n${front}\n---\nText`)

describe('front matter', () => {
  it('contains all fields of a text', () => {
    const { front, body, bodyLine } = good(
      'title: La mer\nslug: la-mer\ntype: making-of\nlanguage: eng\nauthor: A. Lorn\ndate: 2026-01-31\nrank: 2\nkeywords: sea, wave\nimage: a.jpg\ndraft: true\npublish: 2026-02-01T08:00:00+01:00\nmetadata:\n  city: Brest',
    )
    expect(front).toMatchObject({
      title: 'La mer',
      type: 'making-of',
      date: Date.UTC(2026, 0, 31),
      publish: Date.UTC(2026, 1, 1, 7),
      keywords: ['sea', 'wave'],
      draft: true,
      metadata: { city: 'Brest' },
    })
    expect([body, bodyLine]).toEqual(['Text', 16])
  })

  it('may have the line ends and the byte order mark of another system', () => {
    expect(readArticle('\uFEFF---\r\ntitle: A\r\n---\r\nText\r\n')).toMatchObject({
      front: { title: 'A' },
      body: 'Text\n',
    })
  })

  it.each([
    ['title: A\nrank: first', 3, /rank must be a whole number/],
    ['title: A\ndate: 2026-02-30', 3, /date must be a date/],
    ['title: A\ndate: soon', 3, /date must be a date/],
    ['title: A\ndraft: perhaps', 3, /draft must be true or false/],
    ['title: 12', 2, /title must be text/],
    ['slug: a', 2, /title must be text/],
    ['title: ""', 2, /title must not be empty/],
    [`title: ${'x'.repeat(400)}`, 2, /title must be at most 300/],
    ['title: A\nslug: ../etc', 3, /slug must be words/],
    ['title: A\ntype: A B', 3, /type must be words/],
    ['title: "a\\nb"', 2, /title must be one line/],
    ['title: A\ncolour: red', 3, /colour is not known here/],
    ['title: A\nlevel: 9', 3, /level must be from 0 to 6/],
    ['title: A\nkeywords: {a: b}', 3, /keywords must be a list/],
    ['title: A\nmetadata:\n  "a b": 1', 4, /metadata/],
    ['title: "open', 2, /YAML/],
    ['title: A\n\tslug: b', 3, /YAML/],
    ['title: A\ntitle: B', 3, /YAML/],
    ['- a\n- b', 2, /is not a list of names/],
    ['a: &a [x, x]\ntitle: A\nkeywords: *a', 2, /YAML/],
    ['title: !!js/function "x"', 2, /YAML|title/],
  ])('refuses %j at line %i', (front, line, reason) => {
    const faults = bad(front)
    expect(faults).toEqual(expect.arrayContaining([{ line, reason: expect.stringMatching(reason) }]))
  })

  it.each(['Text', '', '---\ntitle: A\n', '--- \n'])('%j has none, or none that ends', (text) => {
    expect(readArticle(text)).toMatchObject([{ line: 1 }])
  })

  it('is limited in length', () => {
    expect(bad(`title: ${'x'.repeat(30_000)}`)).toMatchObject([{ line: 1 }])
  })
})
