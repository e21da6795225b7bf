import { expect, test } from 'vitest'
import { forbiddenKey } from './forbidden-key.ts'

const ALL = { timeshiftEnabled: true, npvrEnabled: true }

test.each([
  ['nothing', ALL, undefined],
  ['going back', { ...ALL, timeshiftEnabled: false }, 'guide.liveOnly'],
  ['recording', { ...ALL, npvrEnabled: false }, 'guide.notRecorded'],
  ['both', { timeshiftEnabled: false, npvrEnabled: false }, 'guide.liveOnlyNotRecorded'],
])('a guide that forbids %s', (_what, programme, key) => {
  expect(forbiddenKey(programme, channel(true))).toBe(key)
})

test('a channel without time-shift and recordings gives no reason, because none of its programmes has them', () => {
  expect(forbiddenKey({ timeshiftEnabled: false, npvrEnabled: false }, channel(false))).toBeUndefined()
})

function channel(allows: boolean) {
  return {
    item: {
      type: 'live' as const,
      allowTimeshift: allows,
      lcn: 1,
      isRadio: false,
      allowRecording: allows,
      isFta: false,
      localizeNumber: 1,
      parentalControl: false,
    },
  }
}
