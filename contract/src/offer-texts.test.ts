import { describe, expect, it } from 'vitest'
import { conditionsOf, offerTexts } from './offer-texts.ts'

describe('the texts of an offer', () => {
  it('A3-20 the first line of the name is the title, and the name may contain a picture', () => {
    const read = (name: string) => {
      const { title, titleImage } = offerTexts({ name, synopsis: '' })
      return [title, titleImage]
    }
    expect(read('Cinéma')).toEqual(['Cinéma', null])
    expect(read('# **Cinéma** à volonté\nSans publicité')).toEqual(['Cinéma à volonté', null])
    expect(read('![Le logo](https://example.org/cinema.png "Cinéma")\n\nCinéma')).toEqual([
      'Cinéma',
      'https://example.org/cinema.png',
    ])
    expect(read('3 * 4 films')).toEqual(['3 * 4 films', null])
    expect(read('')).toEqual(['', null])
    expect(read('![](a.png)')).toEqual(['', 'a.png'])
  })

  it('A3-21 the synopsis consists of a description, the advantages and the legal text', () => {
    const synopsis =
      'Tous les films.\n---\n* Sans publicité\n* Sur deux\n  écrans\n---\nSans engagement.\n\nVoir les conditions.'
    expect(offerTexts({ name: '', synopsis })).toMatchObject({
      description: 'Tous les films.',
      advantages: ['Sans publicité', 'Sur deux écrans'],
      legalCopy: 'Sans engagement.\n\nVoir les conditions.',
    })
  })

  it.each([
    ['no blank after the asterisk', '---\n*HD\n*4 écrans\n---\nLégal', ['HD', '4 écrans']],
    ['blanks after the separators', '---  \n* HD\n* 4 écrans\n---\t\nLégal', ['HD', '4 écrans']],
    ['lines of Windows', '---\r\n*HD\r\n* 4 écrans\r\n---\r\nLégal', ['HD', '4 écrans']],
    ['lines that YAML has folded', '--- * HD * 4 écrans --- Légal', ['HD', '4 écrans']],
    [
      'bold text and a product',
      '---\n* **HD** partout\n**4*4** écrans\n*Inclus* ici\n---\nLégal',
      ['**HD** partout **4*4** écrans *Inclus* ici'],
    ],
  ])('A3-21 splits a synopsis with %s', (_, synopsis, advantages) => {
    expect(offerTexts({ name: '', synopsis: `Tous les films. 4*4\n${synopsis}` })).toMatchObject({
      description: 'Tous les films. 4*4',
      advantages,
      legalCopy: 'Légal',
    })
  })

  it('A3-21 missing parts are empty', () => {
    expect(offerTexts({ name: 'A', synopsis: '' })).toMatchObject({
      description: '',
      advantages: [],
      legalCopy: '',
    })
    expect(offerTexts({ name: 'A', synopsis: 'Un texte - avec un tiret --- dedans' })).toMatchObject({
      description: 'Un texte - avec un tiret --- dedans',
      advantages: [],
    })
    expect(offerTexts({ name: 'A', synopsis: 'Un texte --- un autre * dedans --- et un' })).toMatchObject({
      description: 'Un texte --- un autre * dedans --- et un',
      advantages: [],
    })
    expect(offerTexts({ name: 'A', synopsis: '---\n* Un seul' })).toMatchObject({
      description: '',
      advantages: ['Un seul'],
    })
  })

  it('A3-21 each line of the special conditions is one condition', () => {
    expect(conditionsOf('Sans engagement.\n\n  Deux écrans. \r\n')).toEqual([
      'Sans engagement.',
      'Deux écrans.',
    ])
  })
})
