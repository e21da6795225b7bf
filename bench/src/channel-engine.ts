import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { EngineStep } from './peers/channel-engine-step.ts'
import { hlsFilmMedia, hlsFilmMultivariant } from './peers/hls-film.ts'

const PEER = fileURLToPath(new URL('./peers/channel-engine.ts', import.meta.url))

/**
 * Runs Eyevinn's channel engine with growing numbers of channels that play the same films.
 * @param goesOn returns after each step whether to try more channels
 */
export async function runChannelEngine(
  steps: readonly number[],
  watchSeconds: number,
  goesOn: (step: EngineStep) => boolean,
): Promise<EngineStep[]> {
  // The engine reads films by HTTP, so this server provides them.
  const films = createServer((request, response) => {
    const [, segments = '', file = ''] = request.url?.split('/') ?? []
    const bandwidth = Number.parseInt(file, 10)
    response.setHeader('content-type', 'application/vnd.apple.mpegurl')
    response.end(Number.isNaN(bandwidth) ? hlsFilmMultivariant() : hlsFilmMedia(bandwidth, Number(segments)))
  })
  films.listen(0, '127.0.0.1')
  await once(films, 'listening')
  const address = films.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const engine = spawn(process.execPath, [PEER, String(port), String(watchSeconds), ...steps.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const end = () => engine.kill('SIGKILL')
  process.once('exit', end)
  const told: EngineStep[] = []
  for await (const line of createInterface(engine.stdout)) {
    if (!line.startsWith('{')) continue
    const step = JSON.parse(line) as EngineStep
    told.push(step)
    if (!goesOn(step)) break
  }
  end()
  process.off('exit', end)
  films.close()
  films.closeAllConnections()
  if (told.length === 0) throw new Error('The channel engine reported nothing.')
  return told
}
