import { expect, test } from 'vitest'
import type { PlayingAd } from '../engine/engine.ts'
import { keyCommand, keySituation } from '../keyboard/keys.ts'
import { canMove } from './player-context.ts'
import { bingeSituation } from './player-steps.ts'
import { next, POLL, playing } from './test-player.ts'

const SPOT: PlayingAd = {
  ad: { duration: 20, skipAfter: 5, clickUrl: 'https://shop.test/', report: 'a' },
  number: 1,
  count: 2,
  position: 6,
}

/** Starts a player whose position is in an advertisement. */
async function inAd(setup: Parameters<typeof playing>[0] = {}) {
  const player = await playing(setup)
  player.reading.ad = SPOT
  player.clock.increment(POLL)
  return player
}

test('V4-33 during an advertisement, neither seeking nor pausing is possible', async () => {
  const { actor, done } = await inAd()
  expect(canMove(actor.getSnapshot().context)).toBe(false)
  done.splice(0)
  for (const event of [
    { type: 'seekTo', position: 50 },
    { type: 'togglePlay' },
    { type: 'setSpeed', speed: 2 },
  ] as const)
    actor.send(event)
  expect(done).toEqual([])
})

test('V4-33 during an advertisement, keys are disabled', async () => {
  const { actor } = await inAd()
  const situation = keySituation(actor.getSnapshot().context, { marks: true, paused: false })
  expect(situation.ad).toBe(true)
  for (const key of [' ', 'ArrowLeft', 'ArrowRight', 'm'])
    expect(
      keyCommand(
        { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false },
        situation,
      ),
    ).toBeUndefined()
})

test('V4-32 a press skips the advertisement or tells of a click, and the film goes on', async () => {
  const { actor, done, reading, clock } = await inAd()
  actor.send({ type: 'ad.click' })
  actor.send({ type: 'ad.skip' })
  expect(done.slice(-3)).toEqual(['ad a click', 'ad a skip', 'skip ad'])
  reading.ad = undefined
  clock.increment(POLL)
  expect(canMove(actor.getSnapshot().context)).toBe(true)
})

test('V4-37 the next episode is not offered during an advertisement', async () => {
  const { actor } = await inAd({ opened: { nextAsset: next(true) } })
  expect(bingeSituation(actor.getSnapshot().context).ad).toBe(true)
})
