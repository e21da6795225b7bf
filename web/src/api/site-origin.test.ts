import { expect, test } from 'vitest'
import { siteOrigin } from './site-origin.ts'

test.each([
  ['ondine.test', undefined, 'https://ondine.test'],
  ['ondine.test', 'http', 'http://ondine.test'],
  ['ondine.test', 'https, http', 'https://ondine.test'],
  ['ondine.test', 'javascript', 'https://ondine.test'],
  ['localhost:4000', undefined, 'http://localhost:4000'],
  ['127.0.0.1:4000', undefined, 'http://127.0.0.1:4000'],
  ['[::1]:4000', undefined, 'http://[::1]:4000'],
  ['localhost.example.org', undefined, 'https://localhost.example.org'],
])('V2.3-07 the host %s with the protocol %s', (host, forwardedProtocol, origin) => {
  expect(siteOrigin({ host, forwardedProtocol })).toBe(origin)
})

test.each([undefined, '', 'a b', 'a/b', 'a"><script>', 'a:b:c'])('V2.3-07 %j is no host', (host) => {
  expect(siteOrigin({ host })).toBe('')
})
