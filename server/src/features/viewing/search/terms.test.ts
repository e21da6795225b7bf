import { describe, expect, it } from 'vitest'
import { alternativesOf, correctionOf, editsBetween, highlightsOf, type Term, textQuery } from './terms.ts'

function term(word: string, stem: string | null = word): Term {
  return { word, stem, known: true, begins: true }
}

const nears = (...words: string[]) => words.map((word) => ({ word, stem: word }))
const none = () => []

describe('edit distance of words', () => {
  it.each([
    ['houle', 'houle', 0],
    ['houle', 'hule', 1],
    ['houle', 'houlle', 1],
    ['houle', 'hople', 1],
    ['houle', 'huole', 1],
    ['gardienne', 'gardenne', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('between %j and %j is %i', (from, to, edits) => {
    expect(editsBetween(from, to)).toBe(edits)
    expect(editsBetween(to, from)).toBe(edits)
    expect(editsBetween(from, to, edits)).toBe(edits)
    if (edits > 1) expect(editsBetween(from, to, 1)).toBeGreaterThan(1)
  })
})

describe('the text query', () => {
  it('searches every term by its word and stem, and the last one as a prefix', () => {
    const terms = [term('la', null), term('houles', 'houl'), term('mer')]
    expect(textQuery(alternativesOf(terms, none))).toBe(`('houles' | 'houl') & ('mer' | 'mer':*)`)
  })

  it('searches stop words if there are no others', () => {
    expect(textQuery(alternativesOf([term('la', null)], none))).toBe(`('la')`)
  })

  it('quotes any character in a word', () => {
    expect(textQuery(alternativesOf([term(`a'b\\`)], none))).toBe(`('a''b\\\\' | 'a''b\\\\':*)`)
  })

  it('highlights the words that it searches', () => {
    expect(highlightsOf(alternativesOf([term('houles', 'houl')], () => nears('foule')))).toEqual([
      'houles',
      'houl',
      'foule',
    ])
  })
})

describe('the correction', () => {
  const terms = [term('la', null), term('huole')]
  const alternatives = alternativesOf(terms, ({ word }) => (word === 'huole' ? nears('hublot', 'houle') : []))

  it('is the similar word in the best title', () => {
    expect(correctionOf(terms, alternatives, 'la houle')).toBe('la houle')
    expect(correctionOf(terms, alternatives, 'elsewhere')).toBe('la hublot')
  })

  it('is none if no word was misspelt, or only another form was found', () => {
    expect(correctionOf(terms, alternativesOf(terms, none), 'la houle')).toBeNull()
    const forms = [term('houles', 'houl')]
    const same = alternativesOf(forms, () => [{ word: 'houle', stem: 'houl' }])
    expect(correctionOf(forms, same, 'la houle')).toBeNull()
  })
})
