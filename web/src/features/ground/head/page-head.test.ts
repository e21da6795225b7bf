import { LAYOUT } from '@ondine/contract/constants'
import { expect, test } from 'vitest'
import { pageHead, truncated } from './page-head.ts'

const DEFAULTS = {
  title: 'Ondine',
  description: 'Films et séries.',
  origin: 'https://ondine.test',
  image: '',
  imageHeights: LAYOUT.imageHeights,
}

function head(page: Partial<Parameters<typeof pageHead>[0]>) {
  const { meta, links } = pageHead(
    { title: 'La Houle', description: 'La mer.', path: '/content/la-houle-1', ...page },
    DEFAULTS,
  )
  const content = (name: string) =>
    meta.find(
      (entry) => ('name' in entry && entry.name === name) || ('property' in entry && entry.property === name),
    )
  return { title: meta.find((entry) => 'title' in entry)?.title, content, links }
}

test('V2.4-25 keeps a title of 70 characters, and cuts a longer one', () => {
  expect(head({ title: 'a'.repeat(70) }).title).toBe('a'.repeat(70))
  expect(head({ title: 'a'.repeat(71) }).title).toBe(`${'a'.repeat(70)} ...`)
})

test('V2.4-25 keeps a description of 150 characters, and cuts a longer one', () => {
  expect(head({ description: 'b'.repeat(150) }).content('description')).toMatchObject({
    content: 'b'.repeat(150),
  })
  expect(head({ description: 'b'.repeat(151) }).content('description')).toMatchObject({
    content: `${'b'.repeat(150)} ...`,
  })
})

test.each(['', '   ', '\n'])(
  'V2.4-25 an empty title or description is replaced by the default: %j',
  (empty) => {
    expect(head({ title: empty }).title).toBe('Ondine')
    expect(head({ description: empty }).content('description')).toMatchObject({ content: 'Films et séries.' })
  },
)

test('V9-15 appends " ..." to truncated text, and never splits a character', () => {
  expect(truncated('abcdef', 3)).toBe('abc ...')
  expect(truncated('ab cdef', 3)).toBe('ab ...')
  expect(truncated('🌊🌊🌊', 2)).toBe('🌊🌊 ...')
  expect(truncated('', 3)).toBe('')
})

test('addresses are absolute: canonical and picture', () => {
  const image = { url: '/images/a', width: 1280, height: 720, color: '#000000' }
  const page = head({ image })
  expect(page.links).toEqual([{ rel: 'canonical', href: 'https://ondine.test/content/la-houle-1' }])
  expect(page.content('og:image')).toMatchObject({ content: 'https://ondine.test/images/a/720' })
  expect(head({}).content('og:image')).toBeUndefined()
  expect(head({ unlisted: true }).content('robots')).toMatchObject({ content: 'noindex' })
})

test('V2.4-25 a page without a picture shows the configured one, from any address', () => {
  const withDefault = (image: string) =>
    pageHead({ title: '', description: '', path: '/' }, { ...DEFAULTS, image }).meta.find(
      (entry) => 'property' in entry && entry.property === 'og:image',
    )
  expect(withDefault('')).toBeUndefined()
  expect(withDefault('/share.png')).toMatchObject({ content: 'https://ondine.test/share.png' })
  expect(withDefault('https://cdn.test/a.png')).toMatchObject({ content: 'https://cdn.test/a.png' })
})

test('a site with an unknown origin has no absolute addresses', () => {
  const image = { url: '/images/a', width: 1280, height: 720, color: '#000000' }
  const page = { title: 'La Houle', description: '', path: '/content/la-houle-1', image }
  const { meta, links } = pageHead(page, { ...DEFAULTS, origin: undefined })
  expect(links).toEqual([])
  expect(JSON.stringify(meta)).not.toMatch(/og:url|og:image|undefined/)
})

test.each([
  [[240, 444, 900], 900],
  [[900, 444, 2160], 900],
  [[240, 444], 444],
])('V3-50 a link preview has a picture at one of the heights %j', (imageHeights, height) => {
  const image = { url: '/images/a', width: 1280, height: 720, color: '#000000' }
  const { meta } = pageHead(
    { title: 'La Houle', description: '', path: '/', image },
    { ...DEFAULTS, imageHeights },
  )
  expect(meta).toContainEqual({ property: 'og:image', content: `https://ondine.test/images/a/${height}` })
})
