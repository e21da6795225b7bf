import { expect, test } from 'vitest'
import { playerTarget } from './player-target.ts'

test('V2.1-16 the offline player plays downloads only', () => {
  expect(playerTarget({ asset: 7, offline: true })).toMatchObject({ kind: 'asset', id: 7, offline: true })
  for (const address of [{}, { channel: 5 }, { recording: 5 }, { trailer: 5 }])
    expect(playerTarget({ ...address, offline: true })).toBeUndefined()
  expect(playerTarget({ channel: 5 })).toMatchObject({ kind: 'channel', id: 5 })
})
