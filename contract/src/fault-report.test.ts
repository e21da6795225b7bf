import { describe, expect, test } from 'vitest'
import { faultEnvelope, ReportLimit, reportTarget } from './fault-report.ts'

const KEY = 'a'.repeat(32)

test.each([
  [
    `https://${KEY}@errors.example.org/7`,
    'https://errors.example.org',
    `https://errors.example.org/api/7/envelope/?sentry_version=7&sentry_client=ondine&sentry_key=${KEY}`,
  ],
  [
    `http://${KEY}@10.0.0.2:9000/sentry/12/`,
    'http://10.0.0.2:9000',
    `http://10.0.0.2:9000/sentry/api/12/envelope/?sentry_version=7&sentry_client=ondine&sentry_key=${KEY}`,
  ],
])('V8-08 reports for %s go to its project', (dsn, origin, url) => {
  expect(reportTarget(dsn)).toEqual({ origin, url })
})

test.each([
  '',
  'errors',
  'https://errors.example.org/7',
  `https://${KEY}@errors.example.org/`,
  `ftp://${KEY}@a/7`,
])('V8-08 %j is not an address for reports', (dsn) => {
  expect(reportTarget(dsn)).toBeUndefined()
})

describe('an envelope', () => {
  const fault = {
    type: 'TypeError',
    message: 'rails.map is not a function for a@example.org',
    stack: [
      'TypeError: rails.map is not a function',
      '    at HomeScreen (https://tv.example/assets/home.js:12:34)',
      '    at https://tv.example/assets/index.js:5:6',
      'drawn@https://tv.example/assets/index.js:7:8',
    ].join('\n'),
    where: '/content/la-houle-1?x=secret',
    tags: { code: '-5' },
    traceparent: '00-0123456789abcdef0123456789abcdef-0123456789abcdef-01',
  }
  const lines = faultEnvelope(fault, { id: 'f'.repeat(32), now: 1_800_000_000_000, platform: 'javascript' })
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

  test('V8-08 consists of a header, the header of its item, and the event', () => {
    expect(lines).toHaveLength(3)
    expect(lines[0]).toEqual({ event_id: 'f'.repeat(32), sent_at: '2027-01-15T08:00:00.000Z' })
    expect(lines[1]).toEqual({ type: 'event' })
    expect(lines[2]).toMatchObject({ timestamp: 1_800_000_000, platform: 'javascript', level: 'error' })
  })

  test('V8-08 contains the error, its place and its trace, with the innermost frame last', () => {
    const [exception] = lines[2].exception.values
    expect(exception).toMatchObject({
      type: 'TypeError',
      value: 'rails.map is not a function for [left out]',
    })
    expect(exception.stacktrace.frames.at(-1)).toEqual({
      function: 'HomeScreen',
      filename: 'https://tv.example/assets/home.js',
      lineno: 12,
      colno: 34,
    })
    expect(exception.stacktrace.frames).toHaveLength(3)
    expect(lines[2]).toMatchObject({
      transaction: '/content/la-houle-1?[left out]',
      tags: { code: '-5' },
      contexts: { trace: { trace_id: '0123456789abcdef0123456789abcdef', span_id: '0123456789abcdef' } },
    })
  })
})

test('V8-08 reports each fault once a minute, up to a limit', () => {
  const limit = new ReportLimit(3)
  const admits = (message: string, now: number) => limit.admits({ type: 'Error', message }, now)
  expect(admits('a', 100_000)).toBe(true)
  expect(admits('a', 100_001)).toBe(false)
  expect(admits('b', 100_002)).toBe(true)
  expect(admits('c', 100_003)).toBe(true)
  expect(admits('d', 100_004)).toBe(false)
  expect(admits('a', 160_000)).toBe(true)
})
