import { setTimeout as pause } from 'node:timers/promises'
import { percentileFigures } from '../percentile-figures.ts'
import { playBare, timeToFrame, withPlayers } from '../playing-page.ts'
import type { Row } from '../row.ts'

/** Time that a viewer watches a channel before the next switch, in milliseconds. */
const WATCH_MS = 3000

/** Measures the time from the key press that switches channels to the next channel's first frame. */
export const zapping: Row = {
  name: 'zapping',
  measure: async ({ browserTries }) => {
    const times = await withPlayers(async (players) => {
      const { app, origin, catalogue } = players
      const { channelIds } = catalogue
      await app.goto(`${origin}/player?channel=${channelIds[0]}`)
      await app.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0)
      const subject: number[] = []
      for (let turn = 0; turn <= browserTries; turn++) {
        await pause(WATCH_MS)
        const ours = await timeToFrame(app, async () => await app.keyboard.press('PageDown'))
        if (turn > 0) subject.push(ours)
      }
      await app.goto('about:blank')
      const reference: number[] = []
      for (let turn = 0; turn <= browserTries; turn++) {
        const idChannel = channelIds[turn % channelIds.length] ?? 0
        const bare = await playBare(players, { operation: 'channelStream', idChannel })
        if (turn > 0) reference.push(bare)
        await pause(WATCH_MS / 3)
      }
      return { subject, reference }
    })
    return percentileFigures(
      'zapping from one channel to the next',
      times,
      [
        { mustReach: 250, aimsAt: 150 },
        { mustReach: 400, aimsAt: 250 },
      ],
      `From the key; each channel is watched for ${WATCH_MS / 1000} s. The bare page has its session already. ${browserTries} tries.`,
    )
  },
}
