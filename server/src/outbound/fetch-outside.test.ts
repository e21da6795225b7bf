import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchOutside, isAllowed, OutboundError, type OutboundOptions } from './fetch-outside.ts'

const BOUNDS: OutboundOptions = { maxBytes: 1000, maxMilliseconds: 5000, allow: ['127.0.0.1'] }

describe('fetchOutside', () => {
  let server: Server
  let base: string

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? '/'
      if (path === '/text') response.end('hello')
      else if (path === '/large') response.end('x'.repeat(5000))
      else if (path === '/endless') response.write('x')
      else if (path.startsWith('/to/'))
        response.writeHead(302, { location: decodeURIComponent(path.slice(4)) }).end()
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  async function faultOf(address: string, options: Partial<OutboundOptions> = {}): Promise<string> {
    try {
      const { body } = await fetchOutside(address, { ...BOUNDS, ...options })
      for await (const chunk of body) void chunk
      return 'none'
    } catch (error) {
      if (error instanceof OutboundError) return error.fault
      throw error
    }
  }

  it('returns the content of an allowed address, also after a redirect', async () => {
    for (const path of ['/text', '/to/%2Ftext']) {
      const { body, url } = await fetchOutside(base + path, BOUNDS)
      let text = ''
      for await (const chunk of body) text += chunk.toString()
      expect([text, url]).toEqual(['hello', `${base}/text`])
    }
  })

  it('refuses private addresses unless they are allowed: literal, by name, mapped and behind a redirect', async () => {
    expect(await faultOf(`${base}/text`, { allow: [] })).toBe('private-address')
    expect(await faultOf(base.replace('127.0.0.1', 'localhost'), { allow: [] })).toBe('private-address')
    expect(await faultOf(base.replace('127.0.0.1', '[::ffff:127.0.0.1]'), { allow: [] })).toBe(
      'private-address',
    )
    expect(await faultOf(base.replace('127.0.0.1', '2130706433'), { allow: [] })).toBe('private-address')
    expect(await faultOf(`${base}/to/${encodeURIComponent('http://169.254.169.254/latest')}`)).toBe(
      'private-address',
    )
  })

  it('applies the exceptions to some origins only, also behind a redirect', async () => {
    const other = createServer((_request, response) => response.end('hello'))
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    const outside = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`
    const options = { allowedOrigins: [base] }
    expect(await faultOf(`${base}/to/%2Ftext`, options)).toBe('none')
    expect(await faultOf(outside, options)).toBe('private-address')
    expect(await faultOf(`${base}/to/${encodeURIComponent(outside)}`, options)).toBe('private-address')
    expect(await faultOf(`${base}/text`, { allowedOrigins: [] })).toBe('private-address')
    expect(await faultOf(outside)).toBe('none')
    other.closeAllConnections()
    other.close()
  })

  it.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://example.org/x', 'scheme'],
    ['http://user:secret@example.org/', 'credentials'],
    ['nonsense', 'not-an-address'],
  ])('refuses %s', async (address, fault) => {
    expect(await faultOf(address)).toBe(fault)
  })

  it('enforces its limits on size, time and redirects, and reports a bad status', async () => {
    expect(await faultOf(`${base}/large`)).toBe('too-large')
    expect(await faultOf(`${base}/endless`, { maxMilliseconds: 300 })).toBe('too-slow')
    let loop = `${base}/text`
    for (let hop = 0; hop < 7; hop++) loop = `${base}/to/${encodeURIComponent(loop)}`
    expect(await faultOf(loop)).toBe('too-many-redirects')
    expect(await faultOf(`${base}/nothing`)).toBe('status')
  })

  it.each([
    ['8.8.8.8', true],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.1.1', false],
    ['0.0.0.0', false],
    ['::1', false],
    ['fe80::1', false],
    ['fc00::1', false],
    ['::ffff:10.0.0.1', false],
    ['2001:4860:4860::8888', true],
  ])('detects whether %s is public', (address, expected) => {
    expect(isAllowed(address, address, [])).toBe(expected)
  })

  it('lets the operator allow a range', () => {
    expect(isAllowed('tv.example', '10.1.2.3', ['10.0.0.0/8'])).toBe(true)
    expect(isAllowed('tv.example', '10.1.2.3', ['192.168.0.0/16', 'tv.other'])).toBe(false)
    expect(isAllowed('tv.example', '10.1.2.3', ['tv.example'])).toBe(true)
    expect(isAllowed('TV.example', '10.1.2.3', ['tv.example'])).toBe(true)
  })
})
