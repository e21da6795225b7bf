import { describe, expect, it } from 'vitest'
import { type DocumentRow, SearchIndex } from './search-index.ts'
import { alternativesOf } from './terms.ts'

const FOUND = 1000

/** Returns the document of the film `id`. Every film of this test is called `houle`. */
function film(id: number, score: number): DocumentRow {
  return {
    id,
    kind: 'film',
    language: 'fra',
    targetId: id,
    programmeKey: '',
    folded: 'houle',
    words: "'houl':2A 'houle':1A",
    score,
    moralityLevel: 0,
    adult: false,
    validFrom: 0,
    validTo: null,
  }
}

function indexOf(films: DocumentRow[]): SearchIndex {
  const index = new SearchIndex()
  for (const each of films) index.add(each)
  return index
}

function find(index: SearchIndex, accepts: (document: { id: number }) => boolean): number[] {
  const term = { word: 'houle', stem: 'houl', known: true, begins: true }
  const alternatives = alternativesOf([term], () => [])
  return index.find({ alternatives, folded: 'houle', begins: false }, accepts, FOUND).map(({ id }) => id)
}

describe('a word that thousands of documents contain', () => {
  const films = Array.from({ length: 3000 }, (_, index) => film(index + 1, (index % 300) / 10))
  const best = films
    .toSorted((one, other) => other.score - one.score || one.id - other.id)
    .map(({ id }) => id)

  it('finds the best of them, in order', () => {
    expect(find(indexOf(films), () => true)).toEqual(best.slice(0, FOUND))
  })

  it('continues past documents hidden from the viewer, however many there are', () => {
    const behind = new Set(best.slice(2600))
    expect(find(indexOf(films), ({ id }) => behind.has(id))).toEqual(best.slice(2600))
    const every = (id: number) => id % 2 === 0
    expect(find(indexOf(films), ({ id }) => every(id))).toEqual(best.filter(every).slice(0, FOUND))
  })

  it('does not find deleted documents', () => {
    const index = indexOf(films)
    for (const id of best.slice(0, 2500)) index.remove(id)
    expect(find(index, () => true)).toEqual(best.slice(2500))
  })
})
