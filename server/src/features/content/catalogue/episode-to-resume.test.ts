import type { Asset } from '@ondine/contract/entities'
import { describe, expect, it } from 'vitest'
import { episodeToResume } from './catalogue.service.ts'

describe('the episode to continue with', () => {
  const watched = (...percents: number[]) =>
    percents.map(
      (alreadyWatchedInPercent, index) => ({ idAsset: index + 1, alreadyWatchedInPercent }) as Asset,
    )

  it.each([
    [[0, 0, 0], 1],
    [[100, 40, 0], 2],
    [[100, 96, 0], 3],
    [[30, 100, 50], 3],
    [[100, 100, 100], 1],
  ])('for episodes watched to %j percent is number %i', (percents, expected) => {
    expect(episodeToResume(watched(...percents))?.idAsset).toBe(expected)
  })

  it('for no episodes is none', () => {
    expect(episodeToResume([])).toBeNull()
  })
})
