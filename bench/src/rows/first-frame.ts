import { percentileFigures } from '../percentile-figures.ts'
import { playBare, playFilm, withPlayers } from '../playing-page.ts'
import type { Row } from '../row.ts'

/** Measures the time from the click on a film's page to the film's first frame on the screen, with warm caches. */
export const firstFrame: Row = {
  name: 'first-frame',
  measure: async ({ browserTries }) => {
    const times = await withPlayers(async (players) => {
      const { films } = players.catalogue
      const subject: number[] = []
      const reference: number[] = []
      // The first turn only fills the caches.
      for (let turn = 0; turn <= browserTries; turn++) {
        const index = turn % films.length
        const idAsset = films[index]?.id ?? 0
        const ours = await playFilm(players, index + 1, idAsset)
        // Unloads the first film, because decoding two films at a time would slow the measurement.
        await players.app.goto('about:blank')
        const bare = await playBare(players, { operation: 'readAsset', idAsset })
        await players.bare.reload()
        if (turn === 0) continue
        subject.push(ours)
        reference.push(bare)
      }
      return { subject, reference }
    })
    return percentileFigures(
      'first frame of a film, loopback, warm',
      times,
      [
        { mustReach: 250, aimsAt: 150 },
        { mustReach: 400, aimsAt: 250 },
      ],
      `From the click on the film's page, on whose button the pointer has rested for 100 ms, in Chromium without a graphics card; the bare page has its session already and only loads the manifest. ${browserTries} tries.`,
    )
  },
}
