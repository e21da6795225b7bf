import { setTimeout as pause } from 'node:timers/promises'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { addLiveChannel, putInput } from '@ondine/server/features/streams/live-inputs/live-inputs.repository'
import {
  createSession,
  type PlaybackContent,
} from '@ondine/server/features/streams/play-sessions/play-sessions.service'
import { withInstallation } from '../installation.ts'
import { constantSignal, freePorts, sendToAll } from '../live-signal.ts'
import { answerRates, type Load, loadInTurns } from '../load.ts'
import type { Figure, Row } from '../row.ts'
import { startService } from '../service.ts'

const SESSIONS = 200
const CONNECTIONS = 32
/** Headers as in a browser's request. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }
/** Time until the input accepts a signal, and again until the channel has a full window, in milliseconds. */
const LISTENING_MS = 5000
const WINDOW_MS = 30_000

/**
 * Compares viewers of a live input to viewers of library channels. Each viewer requests the manifest with a
 * separate token.
 */
export const liveManifests: Row = {
  name: 'live-manifests',
  measure: async ({ rounds, roundMs }) =>
    await withInstallation(
      'postgresql',
      async ({ db, keys }, { channelIds, accountId, profileId }) => {
        const [port = 0] = await freePorts(1)
        const liveId = await addLiveChannel(db, 500, 'Direct')
        await putInput(db, liveId, `udp://127.0.0.1:${port}`, null)
        const tokens = (ids: readonly number[], reachSeconds: number) =>
          Array.from({ length: SESSIONS }, (_, index) => {
            const channelId = ids[index % ids.length] ?? 0
            const content: PlaybackContent = {
              kind: 'channel',
              channelId,
              window: { kind: 'live', reachSeconds },
            }
            return createSession(keys, { viewer: { accountId, profileId }, content })
          })
        const back = DEFAULT_CONFIGURATION.live.timeshiftOttConfig
        return {
          port,
          edge: { live: tokens([liveId], 0), library: tokens(channelIds.slice(0, 1), 0) },
          shifted: { live: tokens([liveId], back), library: tokens(channelIds.slice(0, 1), back) },
        }
      },
      async ({ environment, dataFolder }, { port, edge, shifted }) => {
        const kinds = [
          ['in DASH', edge, 'manifest.mpd'],
          ['and an hour back, in DASH', shifted, 'manifest.mpd'],
          ['in HLS, one rendition', edge, 'v720.m3u8'],
          ['and an hour back, in HLS, one rendition', shifted, 'v720.m3u8'],
        ] as const
        const seconds = (WINDOW_MS + kinds.length * (rounds + 1) * 2 * roundMs) / 1000 + 30
        const signal = await constantSignal(dataFolder, seconds)
        const service = await startService(environment)
        await pause(LISTENING_MS)
        const stopping = new AbortController()
        const sending = sendToAll(signal, seconds, [port], stopping.signal)
        await pause(WINDOW_MS)
        const figures: Figure[] = []
        for (const [what, tokens, file] of kinds) {
          const load = (of: 'live' | 'library'): Load => ({
            port: service.port,
            connections: CONNECTIONS,
            milliseconds: roundMs,
            requests: tokens[of].map((token) => ({ path: `/play/${token}/${file}`, headers: HEADERS })),
          })
          const rates = await loadInTurns(load('live'), load('library'), rounds)
          figures.push({
            what: `manifests over HTTP, one Node process: a live input ${what}`,
            unit: '/s',
            values: answerRates(rates.subject),
            target: { better: 'higher', mustReach: null, aimsAt: null },
            reference: { what: 'a library channel', values: answerRates(rates.reference) },
            note: `The input has been on the air for ${WINDOW_MS / 1000} s, and gets a segment every 2 s meanwhile.`,
          })
        }
        stopping.abort()
        await sending
        await service.stop()
        return figures
      },
    ),
}
