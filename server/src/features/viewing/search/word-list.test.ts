import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowedEdits, editsBetween } from './terms.ts'
import { WordList } from './word-list.ts'

function listOf(...words: string[]): WordList {
  const list = new WordList()
  for (const [id, word] of words.entries()) list.add({ id, language: 'fra', word })
  return list
}

describe('the word list', () => {
  it('returns the words with the fewest edits, beginning with words that have the same first letter', () => {
    expect(listOf('mule', 'houle', 'hutte', 'phare').near('hule')).toEqual(['houle', 'mule'])
  })

  it.each([
    ['mer', 'mars'],
    ['phare', 'phrase'],
    ['gardienne', 'jardinier'],
    ['houle', 'houle'],
    ['ici', 'ic'],
  ])('does not treat %j as a misspelling of %j', (word, other) => {
    expect(listOf(other).near(word)).toEqual([])
  })

  it('finds the words with the fewest edits, whatever their letters', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', 'c', 'z', '0', 'é', 'م'),
      minLength: 3,
      maxLength: 12,
    })
    fc.assert(
      fc.property(word, fc.uniqueArray(word, { maxLength: 30 }), (wrong, words) => {
        const edits = words.map((other) => editsBetween(wrong, other)).filter((count) => count > 0)
        const fewest = Math.min(...edits)
        const found = listOf(...words).near(wrong)
        if (fewest > allowedEdits(wrong.length)) expect(found).toEqual([])
        else {
          expect(found).toHaveLength(Math.min(5, edits.filter((count) => count === fewest).length))
          for (const near of found) expect(editsBetween(wrong, near)).toBe(fewest)
        }
      }),
    )
  })

  it('knows prefixes of words', () => {
    const list = listOf('houle', 'houleux')
    expect([
      list.has('houle'),
      list.has('houl'),
      list.hasBeginning('houl'),
      list.hasBeginning('hous'),
    ]).toEqual([true, false, true, false])
  })
})
