import { expect, test } from 'vitest'
import { type DrawnPage, VisitorPages } from './visitor-pages.ts'

function html(text: string, status = 200): DrawnPage {
  return { status, headers: [['content-type', 'text/html']], document: Buffer.from(`<p>${text}</p>`) }
}

test('renders a page once for all visitors within its time, and again afterwards', async () => {
  const pages = new VisitorPages(1)
  let rendered = 0
  const render = async () => {
    rendered++
    return html('first')
  }
  const [one, other] = await Promise.all([pages.get('/', 0, render), pages.get('/', 500, render)])
  expect(one.document.body).toBe(other.document.body)
  expect(rendered).toBe(1)
  await pages.get('/', 1000, render)
  expect(rendered).toBe(2)
  await pages.get('/live', 1000, render)
  expect(rendered).toBe(3)
})

test('keeps neither faults nor missing pages', async () => {
  const pages = new VisitorPages(1)
  let asked = 0
  const missing = async () => {
    asked++
    return html('n', 404)
  }
  expect((await pages.get('/gone', 0, missing)).status).toBe(404)
  await pages.get('/gone', 0, missing)
  expect(asked).toBe(2)
  const failing = async () => await Promise.reject(new Error('no database'))
  await expect(pages.get('/down', 0, failing)).rejects.toThrow('no database')
  expect((await pages.get('/down', 0, async () => html('n'))).status).toBe(200)
})

test('keeps the pages that visitors asked for last, by the bytes of their documents', async () => {
  const pages = new VisitorPages(1)
  const rendered: string[] = []
  const ask = async (key: string) =>
    await pages.get(key, 0, async () => {
      rendered.push(key)
      return html('a'.repeat(4_000_000))
    })
  for (const key of ['/a', '/b', '/a', '/c', '/a', '/b']) await ask(key)
  expect(rendered).toEqual(['/a', '/b', '/c', '/b'])
})

test('renders a page again when the clock was set back by more than its time', async () => {
  const pages = new VisitorPages(1)
  const hour = 3_600_000
  const first = await pages.get('/', hour, async () => html('first'))
  const second = async () => html('second')
  expect((await pages.get('/', hour - 999, second)).document).toBe(first.document)
  expect((await pages.get('/', 0, second)).document.body.toString()).toBe('<p>second</p>')
})
