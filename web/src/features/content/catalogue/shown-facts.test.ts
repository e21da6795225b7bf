import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { expect, test } from 'vitest'
import { shownFacts } from './shown-facts.ts'

const FACTS = ['director', 'cast', 'genres', 'producer', 'audio', 'subtitles', 'year', 'score'].map(
  (name) => [name, 'known'] as const,
)

test('V3-14 a list of facts shows at most 6, or as many as are configured', () => {
  const { metadataShown } = DEFAULT_CONFIGURATION.catalogue
  expect(shownFacts(FACTS, metadataShown)).toHaveLength(6)
  expect(shownFacts(FACTS, 2).map(([name]) => name)).toEqual(['director', 'cast'])
})

test('skips facts without a value', () => {
  expect(
    shownFacts(
      [
        ['director', undefined],
        ['cast', ''],
        ['score', 0],
      ],
      6,
    ),
  ).toEqual([['score', 0]])
})
