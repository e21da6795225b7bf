import { nothingMore, withInstallation } from '../installation.ts'
import { answerRates, load, loadInTurns } from '../load.ts'
import type { Figure, Row } from '../row.ts'
import { startPeer, startService } from '../service.ts'
import { summarise } from '../statistics.ts'

const CONNECTIONS = 32

/** What every page begins with, as a visitor and as somebody who is signed in. */
export const catalogueReads: Row = {
  name: 'catalogue-reads',
  measure: async ({ rounds, roundMs }) =>
    await withInstallation('postgresql', nothingMore, async ({ environment, catalogue }) => {
      const service = await startService(environment)
      const peer = await startPeer('empty-route')
      const figures: Figure[] = []
      const common = { connections: CONNECTIONS, milliseconds: roundMs }
      for (const [who, tokens] of [
        ['visitor', { 'x-identity-key': catalogue.tokens['x-identity-key'] ?? '' }],
        ['signed in', catalogue.tokens],
      ] as const) {
        for (const [operation, fields] of [
          ['hierarchy', ''],
          ['listContent', `id=${catalogue.categoryIds[0]}&`],
          ['listChannels', ''],
        ] as const) {
          const request = {
            method: 'POST' as const,
            headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
            body: `${fields}languageId=fra`,
          }
          const subject = {
            ...common,
            port: service.port,
            requests: [{ ...request, path: `/proxy/${operation}` }],
          }
          const reference = { ...common, port: peer.port, requests: [{ ...request, path: '/' }] }
          const rates = await loadInTurns(subject, reference, rounds)
          const empty = summarise(answerRates(rates.reference)).median
          figures.push({
            what: `catalogue reads, ${who}: ${operation}`,
            unit: '/s',
            values: answerRates(rates.subject),
            target: { better: 'higher', mustReach: 8000, aimsAt: empty * 0.6 },
            reference: { what: 'an empty Fastify route', values: answerRates(rates.reference) },
          })
          if (who !== 'visitor') continue
          const { p99Ms } = await load({ ...subject, perSecond: 4000 })
          figures.push({
            what: `the same at 4,000/s, 99 of 100: ${operation}`,
            unit: 'ms',
            values: [p99Ms],
            target: { better: 'lower', mustReach: 10, aimsAt: null },
            reference: null,
          })
        }
      }
      await service.stop()
      await peer.stop()
      return figures
    }),
}
