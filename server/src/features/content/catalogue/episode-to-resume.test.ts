import { describe, expect, it } from 'vitest'
import { episodeToResume } from './catalogue.service.ts'

describe('the episode to continue with', () => {
  type Episode = Parameters<typeof episodeToResume>[0][number]
  /** Four episodes of 100 seconds. The last one is a special. */
  const episodes = (changes: Record<number, Partial<Episode>> = {}): Episode[] =>
    [1, 2, 3, 4].map((id) => ({
      id,
      seasonNumber: id === 4 ? 0 : 1,
      durationSeconds: 100,
      availability: 'ready' as const,
      ...changes[id],
    }))

  it.each([
    ['the first one if nothing was watched', [], 1],
    [
      'the one that was watched last, if it is not finished',
      [
        [2, 40],
        [1, 100],
      ],
      2,
    ],
    [
      'the one after a finished one',
      [
        [2, 96],
        [1, 100],
      ],
      3,
    ],
    [
      'an earlier one that was watched last',
      [
        [1, 30],
        [3, 50],
      ],
      1,
    ],
    ['the special after the last regular one', [[3, 100]], 4],
    [
      'the first one again, once the special after the last regular one is finished too',
      [
        [4, 100],
        [3, 100],
      ],
      1,
    ],
    [
      'a special that was watched last and is not finished',
      [
        [4, 20],
        [2, 100],
      ],
      4,
    ],
    [
      'the one after the last regular one, after a finished special',
      [
        [4, 100],
        [2, 100],
        [1, 100],
      ],
      3,
    ],
    [
      'the second one, on a second viewing',
      [
        [1, 100],
        [4, 100],
        [3, 100],
        [2, 100],
      ],
      2,
    ],
    ['the first one, after a glance at another', [[2, 0.5]], 1],
  ] as [string, [number, number][], number][])('is %s', (_what, watched, expected) => {
    expect(episodeToResume(episodes(), new Map(watched))).toBe(expected)
  })

  it('is the first one again once all are finished', () => {
    const watched = new Map([
      [3, 100],
      [2, 100],
      [1, 100],
    ])
    expect(episodeToResume(episodes().slice(0, 3), watched)).toBe(1)
  })

  it('is the first special that is not finished, after the last regular one', () => {
    const twoSpecials = episodes({ 3: { seasonNumber: 0 } })
    const after = (...watched: [number, number][]) =>
      episodeToResume(twoSpecials, new Map([...watched, [2, 100]]))
    expect(after([3, 100])).toBe(4)
    expect(after([4, 100])).toBe(3)
    expect(after([4, 100], [3, 100])).toBe(1)
  })

  it('is not one that cannot be played yet, unless none after it can', () => {
    const preparing = { availability: 'preparing' as const }
    expect(episodeToResume(episodes({ 2: preparing }), new Map([[1, 100]]))).toBe(3)
    expect(episodeToResume(episodes({ 1: preparing }), new Map())).toBe(2)
    expect(episodeToResume(episodes({ 3: preparing, 4: preparing }), new Map([[2, 100]]))).toBe(3)
  })

  it('for no episodes is none', () => {
    expect(episodeToResume([], new Map())).toBeUndefined()
  })
})
