import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { readPageData } from './page-data.ts'
import { writePageData } from './write-page-data.ts'

async function moved(from: QueryClient): Promise<QueryClient> {
  const to = new QueryClient()
  readPageData(to, Buffer.concat(writePageData(from)).toString())
  return to
}

test('carries the answers of a page to the browser, with their keys and times', async () => {
  const server = new QueryClient()
  server.setQueryData(['home', { type: 'connected' }], [{ title: 'Marée' }], { updatedAt: 5000 })
  server.setQueryData(['menus'], null)
  server.setQueryData(['list', 1], { pages: [{ items: [] }], pageParams: [0] })
  const browser = await moved(server)
  expect(browser.getQueryData(['home', { type: 'connected' }])).toEqual([{ title: 'Marée' }])
  expect(browser.getQueryState(['home', { type: 'connected' }])?.dataUpdatedAt).toBe(5000)
  expect(browser.getQueryData(['menus'])).toBeNull()
  expect(browser.getQueryData(['list', 1])).toEqual({ pages: [{ items: [] }], pageParams: [0] })
})

test('carries refusals as ApiError, and leaves faults and missing answers to the browser', async () => {
  const server = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const refused = new ApiError({
    code: -10,
    status: 404,
    message: 'Chaîne introuvable',
    endpoint: '/proxy/x',
  })
  const fail = async (queryKey: string[], error: Error) =>
    await server.prefetchQuery({ queryKey, queryFn: async () => await Promise.reject(error) })
  await fail(['refused'], refused)
  await fail(['broken'], new TypeError('a fault of the program'))
  const browser = await moved(server)
  const { error, status } = browser.getQueryState(['refused']) ?? {}
  expect(status).toBe('error')
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ code: -10, status: 404, message: 'Chaîne introuvable', endpoint: '/proxy/x' })
  expect(browser.getQueryState(['broken'])).toBeUndefined()
})

test("leaves a list to the browser when it exceeds its query's limit for pages", async () => {
  const server = new QueryClient()
  const prefetch = async (name: string, length: number) =>
    await server.prefetchQuery({
      queryKey: [name],
      queryFn: () => Array.from({ length }, (_, id) => ({ id })),
      meta: { mostInPage: 500 },
    })
  await prefetch('short', 500)
  await prefetch('long', 501)
  const browser = await moved(server)
  expect(browser.getQueryData(['short'])).toHaveLength(500)
  expect(browser.getQueryState(['long'])).toBeUndefined()
})

test('contains nothing that ends its script element', async () => {
  const server = new QueryClient()
  const hostile = '</script><script>alert(1)</script><!--'
  server.setQueryData(['search', hostile], { title: hostile })
  const text = Buffer.concat(writePageData(server)).toString()
  expect(text).not.toContain('<')
  const browser = await moved(server)
  expect(browser.getQueryData(['search', hostile])).toEqual({ title: hostile })
})

test('writes a shared answer once, and writes a changed one again', () => {
  const answer = { title: 'Un' }
  const [first, second] = [new QueryClient(), new QueryClient()]
  first.setQueryData(['a'], answer)
  second.setQueryData(['a'], { ...answer, title: 'Deux' })
  expect(Buffer.concat(writePageData(first)).toString()).toContain('Un')
  expect(Buffer.concat(writePageData(second)).toString()).toContain('Deux')
})
