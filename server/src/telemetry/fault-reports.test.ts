import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { DrizzleQueryError } from 'drizzle-orm/errors'
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { startFaultReports } from './fault-reports.ts'

const NOW = Date.UTC(2026, 10, 20)
const closing: (() => void)[] = []

afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** Starts a collector of reports, which answers with a status. */
async function collector(status = 200) {
  const bodies: string[] = []
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    const take = async () => {
      bodies.push(await text(request))
      response.writeHead(status).end('{}')
    }
    void take()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { dsn: `http://key@127.0.0.1:${port}/3`, port, bodies, paths }
}

test('V8-08 reports a fault of the service once, scrubbed, with its place and trace', async () => {
  const { dsn, bodies, paths } = await collector()
  const report = startFaultReports(dsn, { now: () => NOW }, pino({ level: 'silent' }))
  const fault = new TypeError('No row for marie@example.org')
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  report(fault, { where: 'hierarchy', traceparent })
  report(fault, { where: 'hierarchy', traceparent })
  await expect.poll(() => bodies).toHaveLength(1)
  expect(paths[0]).toContain('/api/3/envelope/?')
  expect(bodies[0]).toContain('"type":"TypeError"')
  expect(bodies[0]).toContain('"transaction":"hierarchy"')
  expect(bodies[0]).toContain(`"trace_id":"${'a'.repeat(32)}"`)
  expect(bodies[0]).toContain('"platform":"node"')
  expect(bodies[0]).not.toContain('marie@example.org')
})

test('V8-08 reports failed queries without their values, and each query once', async () => {
  const { dsn, bodies } = await collector()
  const report = startFaultReports(dsn, { now: () => NOW }, pino({ level: 'silent' }))
  for (const name of ['Camille', 'Noor']) {
    const failed = new DrizzleQueryError('select from profiles', [name], new Error('the connection ended'))
    report(failed, { where: 'profiles' })
    report(new Error(`not read: ${failed.message}`, { cause: failed }), { where: 'profiles' })
  }
  report(new Error('the last one'), { where: 'profiles' })
  await expect.poll(() => bodies.join('')).toContain('the last one')
  await expect.poll(() => bodies).toHaveLength(3)
  expect(bodies.join('')).toContain('select from profiles')
  expect(bodies.join('')).not.toMatch(/Camille|Noor|params/)
})

test('V8-08 an unreachable collector is logged and has no other effect', async () => {
  const { dsn } = await collector()
  for (const close of closing.splice(0)) close()
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  startFaultReports(dsn, { now: () => NOW }, log)(new Error('broken'), { where: 'epg' })
  await expect.poll(() => lines.join('')).toContain('a fault could not be reported')
})

test('V8-08 a collector that refuses reports is logged', async () => {
  const { dsn } = await collector(403)
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  startFaultReports(dsn, { now: () => NOW }, log)(new Error('broken'), { where: 'epg' })
  await expect.poll(() => lines.join('')).toContain('a fault could not be reported')
  expect(lines.join('')).toContain('The collector answered with status 403.')
})

test('V8-08 sends nothing without an address', () => {
  const sent = vi.spyOn(globalThis, 'fetch')
  startFaultReports(undefined, { now: () => NOW }, pino({ level: 'silent' }))(new Error('x'), { where: '/' })
  expect(sent).not.toHaveBeenCalled()
  sent.mockRestore()
})
