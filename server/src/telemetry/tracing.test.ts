import { createServer } from 'node:http'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { closeServer, listenLocally } from '../../test/local-server.ts'
import { endSpan, startTracing } from './tracing.ts'

/** This number of ended spans is exported at once. */
const BATCH = 512

it('logs the first export that a collector refuses, and the first one that it accepts again', async () => {
  const answers = [403, 403, 200, 200]
  const collector = createServer((_request, response) => {
    response.writeHead(answers.shift() ?? 200).end()
  })
  const lines: string[] = []
  const log = pino({}, { write: (line: string) => lines.push(line) })
  const tracing = await startTracing(await listenLocally(collector), log)
  while (answers.length > 0) {
    const left = answers.length
    for (let span = 0; span < BATCH; span++) endSpan(tracing.begin('catalogue', {}), 200)
    await expect.poll(() => answers.length).toBeLessThan(left)
  }
  await tracing.close()
  await closeServer(collector)
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'the collector does not receive the traces',
    'the collector receives traces again',
  ])
})
