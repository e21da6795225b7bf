import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'
import { expect, test, vi } from 'vitest'
import { NOTHING_READ, positionOf } from '../engine/engine.ts'
import { createReporter, type Reported } from './reporter.ts'

const SECOND = 1000
const film = { kind: 'asset', id: 11, session: 'abc' } as const

function reporter() {
  const send = vi.fn()
  const dispatch = vi.fn()
  const { about, report } = createReporter(send, dispatch)
  const sent = () =>
    send.mock.calls.map(([{ event, position }]) => (position === undefined ? event : `${event} ${position}`))
  /** Starts content. Forgets the reports of this. */
  const begin = (content: Reported) => {
    about(content)
    report({ type: 'start' }, -HEARTBEAT_SECONDS * SECOND)
    send.mockClear()
  }
  return { about, begin, report, send, dispatch, sent }
}

test('V4-29 analytics receives every event with its position', () => {
  const { about, report, dispatch } = reporter()
  about(film)
  report({ type: 'start' }, 0)
  report({ type: 'progress', position: 0.2 }, 200)
  report({ type: 'pause', position: 0.4 }, 400)
  report({ type: 'resume', position: 0.4 }, 600)
  report({ type: 'end', position: 96 }, 800)
  expect(dispatch.mock.calls.map(([, event]) => event)).toEqual([
    { type: 'start' },
    { type: 'progress', position: 0.2 },
    { type: 'pause', position: 0.4 },
    { type: 'resume', position: 0.4 },
    { type: 'end', position: 96 },
  ])
})

test('a playing session sends a heartbeat every ten seconds, and on pause, end and close', () => {
  const { about, report, sent } = reporter()
  about(film)
  report({ type: 'start' }, 0)
  for (let at = 200; at <= 2 * HEARTBEAT_SECONDS * SECOND; at += 200)
    report({ type: 'progress', position: at / SECOND }, at)
  report({ type: 'pause', position: 20.1 }, 20_100)
  report({ type: 'close', position: 20.1 }, 20_200)
  expect(sent()).toEqual(['start', 'progress 10', 'progress 20', 'pause 20.1', 'close 20.1'])
})

test('positions are sent in seconds with three decimals, never below zero', () => {
  const { begin, report, send } = reporter()
  begin(film)
  report({ type: 'pause', position: 12.345678 }, 0)
  report({ type: 'resume', position: -0.01 }, 0)
  expect(send.mock.calls.map(([{ position }]) => position)).toEqual([12.346, 0])
})

test('V4-30 leaving after a failed load sends no position, so that the service keeps the last one', () => {
  const { begin, report, sent } = reporter()
  begin(film)
  report({ type: 'close', position: positionOf(NOTHING_READ) }, 0)
  expect(sent()).toEqual(['close'])
  begin(film)
  report({ type: 'close', position: positionOf({ ...NOTHING_READ, position: 59.5 }) }, 10)
  expect(sent()).toEqual(['close 59.5'])
})

test('V4-30 content that has not started yet is closed without the position of the previous content, once', () => {
  const { about, report, send, sent, dispatch } = reporter()
  about(film)
  report({ type: 'close', position: 47 }, 0)
  report({ type: 'close', position: 47 }, 10)
  expect(sent()).toEqual(['close'])
  expect(send.mock.lastCall?.[0].session).toBe('abc')
  expect(dispatch).not.toHaveBeenCalled()
  // A page that comes back from the back/forward cache goes on with the loading.
  report({ type: 'start' }, 20)
  report({ type: 'close', position: 3 }, 30)
  expect(sent()).toEqual(['close', 'start', 'close 3'])
})

test('V4-29 content that has not started yet reports nothing but its close', () => {
  const { about, report, sent } = reporter()
  about(film)
  for (const type of ['pause', 'resume', 'progress', 'end'] as const) report({ type, position: 47 }, 0)
  expect(sent()).toEqual([])
  report({ type: 'close', position: 47 }, 0)
  report({ type: 'pause', position: 47 }, 0)
  report({ type: 'close', position: 47 }, 0)
  expect(sent()).toEqual(['close'])
})

test('a channel’s heartbeats have no position, a trailer has no heartbeats', () => {
  const { about, report, sent } = reporter()
  about({ kind: 'channel', id: 1, session: 'abc' })
  report({ type: 'start' }, 0)
  report({ type: 'pause', position: 1.7e9 }, 0)
  about({ kind: 'trailer', id: 5, session: null })
  report({ type: 'start' }, 0)
  report({ type: 'close', position: 3 }, 0)
  expect(sent()).toEqual(['start', 'pause'])
})

test('leaving is reported once, and a page that comes back continues', () => {
  const { begin, report, sent } = reporter()
  begin(film)
  report({ type: 'close', position: 5 }, 0)
  report({ type: 'close', position: 5 }, 10)
  report({ type: 'resume', position: 5 }, 20)
  report({ type: 'close', position: 6 }, 30)
  expect(sent()).toEqual(['close 5', 'resume 5', 'close 6'])
})

test('V4-29 the close of a paused player says that its position is not new', () => {
  const { begin, report, send } = reporter()
  const repeated = () => send.mock.lastCall?.[0].isRepeated === true
  send.mockImplementation(({ onAcknowledged }) => onAcknowledged())
  begin(film)
  report({ type: 'pause', position: 600 }, 0)
  expect(repeated()).toBe(false)
  report({ type: 'close', position: 600 }, 3_600_000)
  expect(repeated()).toBe(true)
  report({ type: 'resume', position: 600 }, 3_600_010)
  expect(repeated()).toBe(false)
  report({ type: 'close', position: 601 }, 3_601_010)
  expect(repeated()).toBe(false)
  // Another opening has reported nothing yet.
  begin(film)
  report({ type: 'close', position: 601 }, 3_601_020)
  expect(repeated()).toBe(false)
})

test('V4-29 the close of a paused player sends a position again that the service has not acknowledged', () => {
  const { begin, report, send } = reporter()
  const repeated = () => send.mock.lastCall?.[0].isRepeated === true
  begin(film)
  report({ type: 'progress', position: 600 }, 0)
  send.mock.lastCall?.[0].onAcknowledged()
  report({ type: 'pause', position: 604 }, 4000)
  report({ type: 'close', position: 604 }, 5000)
  expect(repeated()).toBe(false)
  // The acknowledgement of an earlier position says nothing about the last one.
  report({ type: 'resume', position: 600 }, 6000)
  report({ type: 'close', position: 600 }, 7000)
  expect(repeated()).toBe(false)
})

test('reports nothing before an opening', () => {
  const { report, send, dispatch } = reporter()
  report({ type: 'close', position: 0 }, 0)
  expect(send).not.toHaveBeenCalled()
  expect(dispatch).not.toHaveBeenCalled()
})
