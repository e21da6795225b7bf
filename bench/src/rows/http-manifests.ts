import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import {
  createSession,
  type PlaybackContent,
} from '@ondine/server/features/streams/play-sessions/play-sessions.service'
import { withInstallation } from '../installation.ts'
import { answerRates, type Load, loadInTurns } from '../load.ts'
import type { Figure, Row } from '../row.ts'
import { startPeer, startService } from '../service.ts'
import { summarise } from '../statistics.ts'

const SESSIONS = 200
const CONNECTIONS = 32

/** Headers as in a browser's request. */
const HEADERS = { 'accept-encoding': 'gzip, deflate, br' }

/** Measures requests for manifests. Each viewer has a separate token. */
export const httpManifests: Row = {
  name: 'http-manifests',
  measure: async ({ rounds, roundMs }) =>
    await withInstallation(
      'postgresql',
      async ({ keys }, { films, channelIds, accountId, profileId }) => {
        const tokens = (contentOf: (index: number) => PlaybackContent) =>
          Array.from({ length: SESSIONS }, (_, index) =>
            createSession(keys, { viewer: { accountId, profileId }, content: contentOf(index) }),
          )
        const channel = (reachSeconds: number) =>
          tokens((index) => ({
            kind: 'channel',
            channelId: channelIds[index % channelIds.length] ?? 0,
            window: { kind: 'live', reachSeconds },
          }))
        return {
          channel: channel(0),
          shifted: channel(DEFAULT_CONFIGURATION.live.timeshiftOttConfig),
          film: tokens((index) => {
            const film = films[index % films.length]
            if (!film) throw new Error('There are no films.')
            return {
              kind: 'asset',
              assetId: film.id,
              trackSetId: film.trackSet.id,
              durationSeconds: film.durationSeconds,
            }
          }),
        }
      },
      async ({ environment }, tokens) => {
        const service = await startService(environment)
        const peer = await startPeer('empty-route')
        const common = { connections: CONNECTIONS, milliseconds: roundMs }
        const empty: Load = { ...common, port: peer.port, requests: [{ path: '/' }] }
        const figures: Figure[] = []
        for (const [what, owners, file] of [
          ['a live channel in DASH', tokens.channel, 'manifest.mpd'],
          ['a live channel and an hour back, in DASH', tokens.shifted, 'manifest.mpd'],
          ['a live channel in HLS, one rendition', tokens.channel, 'v720.m3u8'],
          ['a live channel and an hour back, in HLS, one rendition', tokens.shifted, 'v720.m3u8'],
          ['a film in DASH', tokens.film, 'manifest.mpd'],
        ] as const) {
          const requests = owners.map((token) => ({ path: `/play/${token}/${file}`, headers: HEADERS }))
          const rates = await loadInTurns({ ...common, port: service.port, requests }, empty, rounds)
          const bytes = rates.subject.map(
            ({ bitsPerSecond, answersPerSecond }) => bitsPerSecond / 8 / answersPerSecond,
          )
          figures.push({
            what: `manifests over HTTP, one Node process: ${what}`,
            unit: '/s',
            values: answerRates(rates.subject),
            target: {
              better: 'higher',
              mustReach: 25_000,
              aimsAt: summarise(answerRates(rates.reference)).median * 0.6,
            },
            reference: { what: 'an empty Fastify route', values: answerRates(rates.reference) },
            note: `Each takes ${(summarise(bytes).median / 1000).toFixed(1)} kB on the way.`,
          })
        }
        await service.stop()
        await peer.stop()
        return figures
      },
    ),
}
