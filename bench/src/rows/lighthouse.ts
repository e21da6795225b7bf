import { assetRoute, channelRoute } from '@ondine/contract/slugs'
import { hangPictures } from '../artwork.ts'
import { withInstallation } from '../installation.ts'
import { lighthouse as audit } from '../lighthouse.ts'
import type { Figure, Row, Target } from '../row.ts'
import { scriptBytes } from '../script-bytes.ts'
import { startService } from '../service.ts'

const LOADED =
  'A phone of the middle class on slow 4G as Lighthouse simulates it: 412 by 823 points, a processor four times slower, 150 ms and 1.6 Mbit/s; in the time zone that the service takes a first visit to come from.'

/** Measures the pages on which most visits begin, with the settings of a phone on a slow network. */
export const lighthouse: Row = {
  name: 'lighthouse',
  measure: async ({ pageLoads }) =>
    await withInstallation('embedded', hangPictures, async ({ environment, catalogue }) => {
      const service = await startService(environment)
      const pages = {
        home: '/',
        'a film': assetRoute('Film 1', catalogue.films[0]?.id ?? 0),
        'a channel': channelRoute('Chaîne 1', catalogue.channelIds[0] ?? 0),
        'the guide': '/epg',
      }
      const figures: Figure[] = [
        {
          what: 'first load of home: JavaScript, compressed',
          unit: 'kB',
          values: [(await scriptBytes(service.origin)) / 1000],
          target: { better: 'lower', mustReach: 185, aimsAt: 150 },
          reference: null,
        },
      ]
      for (const [name, path] of Object.entries(pages)) {
        const reports = await audit(service.origin + path, pageLoads)
        const add = (what: string, unit: Figure['unit'], values: number[], target: Target) =>
          figures.push({
            what: `Lighthouse, ${name}: ${what}`,
            unit,
            values,
            target,
            reference: null,
            note: LOADED,
          })
        const scores = [
          ['performance', 95, 99],
          ['accessibility', 100, 100],
          ['best-practices', 100, 100],
          ['seo', 100, 100],
        ] as const
        for (const [category, mustReach, aimsAt] of scores) {
          const values = reports.map((report) => report.scores[category])
          add(category, 'of 100', values, { better: 'higher', mustReach, aimsAt })
        }
        add(
          'largest contentful paint',
          's',
          reports.map((report) => report.largestPaintSeconds),
          {
            better: 'lower',
            mustReach: 1.9,
            aimsAt: 1.2,
          },
        )
        add(
          'total blocking time',
          'ms',
          reports.map((report) => report.blockedMilliseconds),
          {
            better: 'lower',
            mustReach: null,
            aimsAt: null,
          },
        )
        add(
          'layout shift',
          '',
          reports.map((report) => report.layoutShift),
          {
            better: 'lower',
            mustReach: 0.02,
            aimsAt: 0,
          },
        )
      }
      await service.stop()
      return figures
    }),
}
