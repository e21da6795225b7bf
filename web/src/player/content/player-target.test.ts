import { expect, test } from 'vitest'
import { playerPath, playerTarget, withoutStart } from './player-target.ts'

test('V2.1-16 the offline player plays downloads only', () => {
  expect(playerTarget({ asset: 7, offline: true })).toMatchObject({ kind: 'asset', id: 7, offline: true })
  for (const address of [{}, { channel: 5 }, { recording: 5 }, { trailer: 5 }])
    expect(playerTarget({ ...address, offline: true })).toBeUndefined()
  expect(playerTarget({ channel: 5 })).toMatchObject({ kind: 'channel', id: 5 })
})

test('V4-53 the address of content that a screen plays has no start, and keeps its languages', () => {
  expect(withoutStart(playerPath('asset', 7, { start: 300 }))).toBe(playerPath('asset', 7))
  expect(withoutStart('/player?asset=7&t=300&audio=fra&sub=eng')).toBe('/player?asset=7&audio=fra&sub=eng')
  expect(withoutStart(playerPath('channel', 5))).toBe(playerPath('channel', 5))
})
