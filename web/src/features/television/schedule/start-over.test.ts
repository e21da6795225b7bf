import { expect, test } from 'vitest'
import { mayStartOver, startOverKey } from './start-over.ts'

const NOW = 1_795_212_000
const programme = { startoverEnabled: true, startutc: NOW - 3600 }
const channel = (startOver: boolean, timeshift: number) => ({ ottConfiguration: { startOver, timeshift } })

test.each([
  ['where channel and programme allow it', programme, channel(true, 0), true],
  ['within the recording of the channel', programme, channel(true, 7200), true],
  ['not when it began before the recording', programme, channel(true, 1800), false],
  ['not where the channel does not allow it', programme, channel(false, 0), false],
  [
    'not where the programme does not allow it',
    { ...programme, startoverEnabled: false },
    channel(true, 0),
    false,
  ],
  ['not before it begins', { ...programme, startutc: NOW + 1 }, channel(true, 0), false],
])('a programme can be started over %s', (_what, what, where, may) => {
  expect(mayStartOver(what, where, NOW)).toBe(may)
})

test('V1-08 an ended programme is available on replay, a current one from its start', () => {
  expect(startOverKey('done')).toBe('guide.replay')
  expect(startOverKey('live')).toBe('guide.startOver')
})
