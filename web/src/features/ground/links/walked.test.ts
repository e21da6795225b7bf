import { expect, test } from 'vitest'
import { trailAfterAction } from './walked.ts'

const move = (from: string, to: string) => ({ from, to })

test('V2.4-21 a link adds to the trail, and so does the browser’s forward button', () => {
  const trail = trailAfterAction([], { type: 'PUSH' }, move('/', '/content/a-1'))
  expect(trail).toEqual(['/'])
  expect(trailAfterAction(trail, { type: 'FORWARD' }, move('/content/a-1', '/epg/b-2'))).toEqual([
    '/',
    '/content/a-1',
  ])
})

test('V2.4-21 the browser’s back button removes the addresses that it goes back over', () => {
  const trail = ['/', '/content/a-1', '/epg/b-2']
  expect(trailAfterAction(trail, { type: 'BACK' }, move('/live', '/epg/b-2'))).toEqual(['/', '/content/a-1'])
  expect(trailAfterAction(trail, { type: 'GO', index: -2 }, move('/live', '/content/a-1'))).toEqual(['/'])
})

test('V2.4-21 a redirect does not count as a move, except when it ends at a top-level screen', () => {
  expect(trailAfterAction(['/'], { type: 'REPLACE' }, move('/content/a', '/content/a-1'))).toEqual(['/'])
  expect(trailAfterAction(['/'], { type: 'REPLACE' }, move('/account', '/account/devices'))).toEqual([])
})
