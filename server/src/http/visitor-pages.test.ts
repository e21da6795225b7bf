import { expect, test } from 'vitest'
import { type DrawnPage, VisitorPages } from './visitor-pages.ts'

function html(nonce: string, status = 200): DrawnPage {
  return {
    status,
    headers: [['content-type', 'text/html']],
    document: [1, 2].map((text) => ({
      bytes: Buffer.from(`<script nonce="${nonce}">${text}</script>`),
      shared: false,
    })),
  }
}

test('renders a page once for all visitors within its time, and again afterwards', async () => {
  const pages = new VisitorPages(1)
  let rendered = 0
  const render = async () => {
    rendered++
    return html('first')
  }
  await Promise.all([pages.get('/', 0, 'first', render), pages.get('/', 500, 'other', render)])
  expect(rendered).toBe(1)
  await pages.get('/', 1000, 'first', render)
  expect(rendered).toBe(2)
  await pages.get('/live', 1000, 'first', render)
  expect(rendered).toBe(3)
})

test('gives each answer its own nonce in every place', async () => {
  const pages = new VisitorPages(1)
  const page = await pages.get('/', 0, 'first', async () => html('first'))
  expect(page.form.fill('other').body.toString()).toBe(
    '<script nonce="other">1</script><script nonce="other">2</script>',
  )
})

test('keeps neither faults nor missing pages', async () => {
  const pages = new VisitorPages(1)
  let asked = 0
  const missing = async () => {
    asked++
    return html('n', 404)
  }
  expect((await pages.get('/gone', 0, 'n', missing)).status).toBe(404)
  await pages.get('/gone', 0, 'n', missing)
  expect(asked).toBe(2)
  const failing = async () => await Promise.reject(new Error('no database'))
  await expect(pages.get('/down', 0, 'n', failing)).rejects.toThrow('no database')
  expect((await pages.get('/down', 0, 'n', async () => html('n'))).status).toBe(200)
})
