import { expect, test } from 'vitest'
import { unredirected } from './unredirected.ts'

test('V2.3-08 a redirected page is kept as one that was not redirected', async () => {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const redirected = new Response('<html>', { headers })
  Object.defineProperty(redirected, 'redirected', { value: true })
  const kept = await unredirected(redirected)
  expect(kept.redirected).toBe(false)
  expect(kept.headers.get('content-type')).toBe(headers['content-type'])
  expect(await kept.text()).toBe('<html>')
  const plain = new Response('<html>')
  expect(await unredirected(plain)).toBe(plain)
})
