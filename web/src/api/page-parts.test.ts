import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type Common, PageParts } from './page-parts.ts'

/** Returns a rendered page as one text. */
function whole(parts: PageParts, drawn: string, isWhole = true): string {
  return parts.complete(Buffer.from(drawn), isWhole).toString()
}

/**
 * Assembles a page with one part for each entry of `data`. `draw` renders the parts that are not cached. Returns the
 * page and the indexes of the rendered parts.
 */
function made(data: readonly unknown[][], draw: (index: number) => string, common: Partial<Common> = {}) {
  const parts = new PageParts(() => ({ page: 'home', search: '', ...common }))
  const drawn: number[] = []
  const shell = data.map((of, index) => {
    const { name, mark } = parts.drawn(of)
    if (mark === undefined) drawn.push(index)
    return `<div class="part" data-part="${name}">${mark ?? draw(index)}</div>`
  })
  const page = whole(parts, `<main>${shell.join('')}</main>`)
  return { page, drawn, contents: page.replaceAll(/ data-part="[^"]*"/g, '') }
}

test('a part is rendered once for all viewers with the same data', () => {
  const rail = { title: `Rail ${randomUUID()}`, items: [{ id: 1 }] }
  const first = made([[rail]], () => '<ul><li>Été</li></ul>')
  // Equal data in a different object, as the service returns it to another viewer.
  const second = made([[{ ...rail }]], () => 'must not be drawn')
  expect(first.drawn).toEqual([0])
  expect(second.drawn).toEqual([])
  expect(second.page).toBe(first.page)
  expect(second.contents).toBe('<main><div class="part"><ul><li>Été</li></ul></div></main>')
})

test('a part depends on its data, the page, and, for links with a query, the address', () => {
  const rail = { title: randomUUID() }
  const asking = { title: randomUUID(), to: '/search?searchBy=title' }
  const speaking = { title: `What now? ${randomUUID()}` }
  const route = `/search?searchBy=${randomUUID()}`
  made([[rail], [asking], [speaking], [route]], (index) => `first ${index}`)
  expect(made([[{ ...rail, title: 'other' + rail.title }]], () => 'x').drawn).toEqual([0])
  expect(made([[rail, 1]], () => 'x').drawn).toEqual([0])
  expect(made([[rail]], () => 'x', { page: 'home of a child' }).drawn).toEqual([0])
  expect(made([[rail], [asking], [speaking], [route]], () => 'x', { search: '?visit=2' }).drawn).toEqual([
    1, 3,
  ])
})

test('finds the ends of nested parts and of elements with the same name', () => {
  const [outer, inner] = [{ id: randomUUID() }, { id: randomUUID() }]
  const parts = new PageParts(() => ({ page: 'home', search: '' }))
  const names = [outer, inner].map((each) => parts.drawn([each]).name)
  whole(
    parts,
    `<div data-part="${names[0]}"><div><p>a</p><div data-part="${names[1]}"><div>b</div></div></div>c</div><div>d</div>`,
  )
  expect(made([[inner]], () => 'x').drawn).toEqual([])
  const again = new PageParts(() => ({ page: 'home', search: '' }))
  const marks = [outer, inner].map((each) => again.drawn([each]).mark ?? '')
  expect(whole(again, marks.join('|'))).toBe(
    `<div><p>a</p><div data-part="${names[1]}"><div>b</div></div></div>c|<div>b</div>`,
  )
})

test('keeps no part of a page that the browser has to complete', () => {
  const rail = { id: randomUUID() }
  const page = () => new PageParts(() => ({ page: 'home', search: '' }))
  const parts = page()
  whole(parts, `<div data-part="${parts.drawn([rail]).name}"><p>a</p></div>`, false)
  expect(page().drawn([rail]).mark).toBeUndefined()
})

test('keeps a text that looks like a mark as text', () => {
  const parts = new PageParts(() => ({ page: '', search: '' }))
  const mark = parts.insert(() => [Buffer.from('<sty'), Buffer.from('le>')])
  expect(whole(parts, `${mark}<!--other 1-->${mark.replace('1-->', '9-->')}`)).toBe('<style><!--other 1-->')
})

test('counts the data of a part towards the size of the cache', () => {
  const old = { id: randomUUID() }
  made([[old]], () => 'small')
  for (let index = 0; index < 20; index++) {
    made([[{ id: randomUUID() }]], () => 'small', { page: 'x'.repeat(1_000_000) })
  }
  expect(made([[old]], () => 'x').drawn).toEqual([0])
})

test('stays within the size of the cache: the least recently used part goes first', () => {
  const [old, used] = [{ id: randomUUID() }, { id: randomUUID() }]
  made([[old], [used]], () => 'small')
  for (let index = 0; index < 20; index++) {
    made([[{ id: randomUUID() }]], () => 'x'.repeat(1_000_000))
    expect(made([[used]], () => 'x').drawn).toEqual([])
  }
  expect(made([[old]], () => 'x').drawn).toEqual([0])
})
