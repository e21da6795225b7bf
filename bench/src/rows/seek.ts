import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { percentileFigures } from '../percentile-figures.ts'
import { playBare, playFilm, timeToSeek, withPlayers } from '../playing-page.ts'
import type { Row } from '../row.ts'

/** Time after which the buffer extends some seconds beyond the position, in milliseconds. */
const SETTLE_MS = 1500
const INSIDE_SECONDS = 6
/** A position in a film of 60 s that players have not buffered yet, in seconds. */
const OUTSIDE_SECONDS = 53

/** Measures the time from a seek to the first frame at the new position. */
export const seek: Row = {
  name: 'seek',
  measure: async ({ browserTries }) => {
    const tries = Math.ceil(browserTries / 2)
    const { inside, outside } = await withPlayers(async (players) => {
      const inside = { subject: [] as number[], reference: [] as number[] }
      const outside = { subject: [] as number[], reference: [] as number[] }
      const seekTwice = async (page: Page, side: 'subject' | 'reference') => {
        await pause(SETTLE_MS)
        inside[side].push(await timeToSeek(page, INSIDE_SECONDS, 'buffered'))
        outside[side].push(await timeToSeek(page, OUTSIDE_SECONDS, 'elsewhere'))
      }
      const { films } = players.catalogue
      for (let turn = 0; turn < tries; turn++) {
        const index = turn % films.length
        const idAsset = films[index]?.id ?? 0
        await playFilm(players, index + 1, idAsset)
        await seekTwice(players.app, 'subject')
        await players.app.goto('about:blank')
        await playBare(players, { operation: 'readAsset', idAsset })
        await seekTwice(players.bare, 'reference')
        await players.bare.reload()
      }
      return { inside, outside }
    })
    const [insideHalf, outsideHalf] = [
      { mustReach: 50, aimsAt: 30 },
      { mustReach: 200, aimsAt: 120 },
    ]
    const unasked = { mustReach: null, aimsAt: null }
    return [
      ...percentileFigures('seek inside what is buffered', inside, [insideHalf, unasked]),
      ...percentileFigures('seek outside what is buffered', outside, [outsideHalf, unasked]),
    ]
  },
}
