/**
 * Runs Eyevinn's channel engine with the given numbers of channels, one step after the other. After each step it
 * reports the delay of its event loop, its processor time and its memory. Ends after the last step.
 *
 *   channel-engine.ts <port of the films> <seconds to watch> <channels> <channels> …
 */
import { setTimeout as pause } from 'node:timers/promises'
import { PlayheadStateStore } from 'eyevinn-channel-engine/engine/playhead_state.js'
import Session from 'eyevinn-channel-engine/engine/session.js'
import { SessionStateStore } from 'eyevinn-channel-engine/engine/session_state.js'
import { eventLoopLag } from '../event-loop-lag.ts'
import type { EngineStep } from './channel-engine-step.ts'
import { HLS_FILM_BANDWIDTHS, RESOLUTIONS } from './hls-film.ts'

const [port, seconds = 5, ...steps] = process.argv.slice(2).map(Number)
const films = [360, 750, 555].map((segments, index) => ({
  id: index + 1,
  title: `Film ${index + 1}`,
  uri: `http://127.0.0.1:${port}/${segments}/multivariant.m3u8`,
}))
const profile = HLS_FILM_BANDWIDTHS.map((bw, index) => {
  const [width = 0, height = 0] = (RESOLUTIONS[index] ?? '').split('x').map(Number)
  return { bw, codecs: 'avc1.64001f,mp4a.40.2', resolution: [width, height] as [number, number] }
})
const turns = new Map<string, number>()
const assets = {
  getNextVod: async ({ playlistId }: { playlistId: string }) => {
    const turn = turns.get(playlistId) ?? Number(playlistId)
    turns.set(playlistId, turn + 1)
    const film = films[turn % films.length]
    if (!film) throw new Error('There are no films.')
    return await Promise.resolve(film)
  },
}
// The engine's web server is not used, because it does not start on current Node versions. Its monitoring of live
// sources is not used either. So the engine does less work per channel than usual.
const stores = {
  sessionStateStore: new SessionStateStore({}),
  playheadStateStore: new PlayheadStateStore({}),
  instanceId: 'bench',
}

const SETTLE_MS = 5000

let channels = 0
for (const step of steps) {
  for (; channels < step; channels++) {
    const options = { sessionId: String(channels + 1), averageSegmentDuration: 4000, profile }
    const session = new Session(assets, options, stores)
    await session.initAsync()
    session.startPlayheadAsync().catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  }
  await allOnAir()
  const before = process.cpuUsage()
  const lagMs = await eventLoopLag(async () => await pause(seconds * 1000))
  const { user, system } = process.cpuUsage(before)
  const told: EngineStep = {
    channels,
    lagMs,
    processorShare: (user + system) / 1e6 / seconds,
    residentMB: process.memoryUsage.rss() / 1e6,
  }
  console.log(JSON.stringify(told))
}
process.exit(0)

/** Waits until every channel has loaded its first film, but only as long as a viewer would wait. */
async function allOnAir(): Promise<void> {
  for (let tries = 0; tries < 100 && turns.size < channels; tries++) await pause(200)
  // After loading films, the engine is busy for some time.
  await pause(SETTLE_MS)
}
