import { expect, test } from 'vitest'
import type { RouteName } from '../../../routes.ts'
import { type Trail, trailAfter, wayBack } from './trail.ts'

function walk(...moves: [from: string, to: RouteName | undefined, back?: boolean][]): Trail {
  return moves.reduce<Trail>((trail, [from, to, back = false]) => trailAfter(trail, { from, to, back }), [])
}

test('V2.4-21 records each forward move, and no move back', () => {
  const trail = walk(['/', 'assets-slug'], ['/content/a-1', 'categories-slug-details'])
  expect(trail).toEqual(['/', '/content/a-1'])
  expect(trailAfter(trail, { from: '/series/b-2/details', to: 'assets-slug', back: true })).toEqual(['/'])
})

test.each<RouteName>(['home', 'assets', 'category-slug', 'others', 'account-devices', 'auth-login'])(
  'V2.4-21 reaching the top-level screen %s empties the history',
  (name) => {
    expect(walk(['/', 'assets-slug'], ['/content/a-1', name])).toEqual([])
    expect(trailAfter(['/', '/live'], { from: '/live', to: name, back: true })).toEqual([])
  },
)

test('V2.4-21 treats an unknown address like any other', () => {
  expect(walk(['/live', undefined])).toEqual(['/live'])
})

test('limits the length of the trail', () => {
  const moves = Array.from({ length: 200 }, (_, index): [string, RouteName] => [
    `/content/${index}`,
    'assets-slug',
  ])
  const trail = walk(...moves)
  expect(trail).toHaveLength(50)
  expect(trail.at(-1)).toBe('/content/199')
})

test.each<RouteName>(['epg-slug', 'channel-slug'])(
  'V2.4-20 uses the browser’s history for back on %s',
  (name) => {
    expect(wayBack(['/live'], name)).toEqual({ browser: true })
  },
)

test('V2.4-20 elsewhere goes back to the last recorded address, by default home', () => {
  expect(wayBack(['/', '/live?day=2'], 'assets-slug')).toEqual({ path: '/live?day=2' })
  expect(wayBack([], 'assets-slug')).toEqual({ path: '/' })
  expect(wayBack([], undefined)).toEqual({ path: '/' })
})
