import { expect, test } from 'vitest'
import { nextRecording, type Ordered } from './next-recording.ts'

const episode = (id: number, more: Partial<Ordered> = {}): Ordered => ({
  id,
  title: 'Feuilleton',
  subtitle: '',
  season: 1,
  episode: id,
  startutc: 1000 - id,
  state: 'recorded',
  ...more,
})

test('the next episode is the one after by season and number, whenever it was recorded', () => {
  const all = [episode(4), episode(2), episode(9, { season: 2, episode: 1 }), episode(3)]
  expect(nextRecording(all, episode(2))?.id).toBe(3)
  expect(nextRecording(all, episode(4))?.id).toBe(9)
  expect(nextRecording(all, episode(9, { season: 2, episode: 1 }))).toBeUndefined()
})

test('without numbers, the next episode is the next one in time', () => {
  const daily = (id: number) =>
    episode(id, { season: null, episode: null, subtitle: `Day ${id}`, startutc: id })
  expect(nextRecording([daily(30), daily(20), daily(10)], daily(10))?.id).toBe(20)
})

test('planned and failed recordings, other series and films are not next', () => {
  const all = [
    episode(2, { state: 'planned' }),
    episode(3, { state: 'failed' }),
    episode(4, { title: 'Autre' }),
    episode(5, { state: 'recordingPlaying' }),
  ]
  expect(nextRecording(all, episode(1))?.id).toBe(5)
  const film = (id: number) => episode(id, { season: null, episode: null, startutc: id })
  expect(nextRecording([film(2)], film(1))).toBeUndefined()
})

test('the same episode that was recorded twice is not its own next one', () => {
  expect(nextRecording([episode(7, { episode: 1 }), episode(1)], episode(1))).toBeUndefined()
})
