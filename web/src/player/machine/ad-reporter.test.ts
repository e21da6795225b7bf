import { expect, test } from 'vitest'
import type { PlayingAd } from '../engine/engine.ts'
import { createAdReporter } from './ad-reporter.ts'

function reporter() {
  const sent: string[] = []
  const made = createAdReporter((report, event, at) => sent.push([report, event, at].join(' ').trimEnd()))
  const at = (report: string, position: number, progressAt: number[] = []): PlayingAd => ({
    ad: { duration: 20, skipAfter: 5, clickUrl: null, report, progressAt },
    number: 1,
    count: 1,
    position,
  })
  return { sent, made, at }
}

test('V4-32 reports the begin, the quartiles and the end of an advertisement, each once', () => {
  const { sent, made, at } = reporter()
  for (let position = 0; position < 20; position += 0.25) made.follow(at('a', position))
  made.follow(at('b', 0.2))
  made.follow(undefined)
  expect(sent).toEqual([
    'a start',
    'a firstQuartile',
    'a midpoint',
    'a thirdQuartile',
    'a complete',
    'b start',
  ])
})

test('V4-32 reports the moments that the advertiser wants to know of, each once, and none that was not shown', () => {
  const { sent, made, at } = reporter()
  for (let position = 4; position < 12; position += 0.25) made.follow(at('a', position, [1, 6, 10.5, 15]))
  expect(sent).toEqual(['a firstQuartile', 'a progress 6', 'a midpoint', 'a progress 10.5'])
})

test('V4-32 reports moments that are too close to the end to be seen once the advertisement is complete', () => {
  const { sent, made, at } = reporter()
  for (let position = 0.25; position < 20; position += 0.25) made.follow(at('a', position, [19.9, 20]))
  expect(sent.filter((event) => /progress|complete/.test(event))).toEqual([])
  made.follow(undefined)
  expect(sent.slice(-3)).toEqual(['a progress 19.9', 'a progress 20', 'a complete'])
})

test('a skipped advertisement is not complete, and a click is told once', () => {
  const { sent, made, at } = reporter()
  made.follow(at('a', 19))
  made.tell(at('a', 19), 'click')
  made.tell(at('a', 19), 'click')
  made.tell(at('a', 19), 'skip')
  made.follow(undefined)
  expect(sent.filter((event) => /click|skip|complete/.test(event))).toEqual(['a click', 'a skip'])
})

test('V4-32 an advertisement that is met near its end has shown neither its beginning nor its end', () => {
  const { sent, made, at } = reporter()
  for (let position = 14.5; position < 20; position += 0.25) made.follow(at('a', position))
  made.follow(undefined)
  expect(sent).toEqual(['a thirdQuartile'])
})

test('V4-32 an advertisement that is loaded has not begun', () => {
  const { sent, made, at } = reporter()
  made.follow(at('a', 0))
  made.follow(at('a', 0))
  expect(sent).toEqual([])
  made.follow(at('a', 0.2))
  expect(sent).toEqual(['a start'])
})
