import { nothingMore, withInstallation } from '../installation.ts'
import { load } from '../load.ts'
import { startNginx } from '../nginx.ts'
import type { Row } from '../row.ts'
import { startService } from '../service.ts'

const CONNECTIONS = 8

/** Measures segments, which are the largest files of a service. For comparison, nginx serves the same files. */
export const segments: Row = {
  name: 'segments',
  measure: async ({ rounds, roundMs }) =>
    await withInstallation('embedded', nothingMore, async ({ environment, mediaFolder, catalogue }) => {
      const service = await startService(environment)
      const nginx = await startNginx(mediaFolder)
      const requests = catalogue.films.flatMap(({ trackSet }) => {
        const video = trackSet.renditions.find(({ id }) => id === 'v720')
        const count = video?.segments.reduce((sum, [, times]) => sum + times, 0) ?? 0
        return Array.from({ length: count }, (_, index) => ({
          path: `/media/${trackSet.id}/v720/${index + 1}.m4s`,
        }))
      })
      const measure = async (port: number) =>
        (await load({ port, requests, connections: CONNECTIONS, milliseconds: roundMs })).bitsPerSecond / 1e9
      const fromNode: number[] = []
      const fromNginx: number[] = []
      for (let round = 0; round < rounds; round++) {
        fromNode.push(await measure(service.port))
        fromNginx.push(await measure(nginx.port))
      }
      await service.stop()
      await nginx.stop()
      return [
        {
          what: 'segments from Node, loopback',
          unit: 'Gbit/s',
          values: fromNode,
          target: { better: 'higher', mustReach: 4, aimsAt: 8 },
          reference: { what: 'nginx serving the same files', values: fromNginx },
        },
        {
          what: 'segments from nginx, loopback',
          unit: 'Gbit/s',
          values: fromNginx,
          target: { better: 'higher', mustReach: 20, aimsAt: 25 },
          reference: null,
          note: 'One worker of nginx, and on the other core the load generator, which takes most of the time: a program of Node that reads and forgets.',
        },
      ]
    }),
}
