import { expect, test } from 'vitest'
import { menuItems } from './menu.ts'

const entry = (title: string, reference: string, content: { title: string; reference: string }[] = []) => ({
  title,
  reference,
  image: '',
  content: content.map((link, index) => ({ ...link, id: String(index), image: '' })),
})

test('V2.4-03 supports plain links, external links, and entries with children', () => {
  const [plain, outside, parent] = menuItems(
    [
      entry('Direct', 'live'),
      entry('Aide', 'https://example.org/help'),
      entry('Genres', '', [{ title: 'Drame', reference: 'vod_category/3/Drame' }]),
    ],
    'content',
  )
  expect(plain).toMatchObject({ target: { kind: 'internal', path: '/live' }, children: [] })
  expect(outside?.target).toEqual({ kind: 'external', url: 'https://example.org/help', newWindow: true })
  expect(parent).toMatchObject({ target: undefined, children: [{ target: { path: '/category/drame-3' } }] })
})

test('V2.2-17 in the footer an external address opens in this window', () => {
  const [column] = menuItems(
    [entry('Aide', '', [{ title: 'Blog', reference: 'https://example.org' }])],
    'footer',
  )
  expect(column?.children[0]?.target).toMatchObject({ newWindow: false })
})

test('leaves out entries without target and children, or without a name', () => {
  const items = menuItems(
    [
      entry('Rien', ''),
      entry('Vide', ' ', [{ title: 'x', reference: '' }]),
      entry('', '/live'),
      entry('Ok', '/'),
    ],
    'content',
  )
  expect(items.map(({ title }) => title)).toEqual(['Ok'])
})

test('treats two entries with the same name as different', () => {
  const items = menuItems([entry('A', '/live'), entry('A', '/epg')], 'content')
  expect(new Set(items.map(({ key }) => key)).size).toBe(2)
})
