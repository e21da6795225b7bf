import type { AnnouncedDetails } from '@ondine/contract/channels'
import { expect, test } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { NOTHING_ANNOUNCED } from '../../content/catalogue/asset-builder.ts'
import { announcedFacts, flagsOf, shortCredits } from './announced.ts'

const { t } = bundledWords('fra')
const place = { language: 'fra', timeZone: 'Europe/Paris', dateFormat: 'DD/MM/YYYY' } as const

test.each<[Partial<AnnouncedDetails>, string[]]>([
  [{}, []],
  [{ isLive: true, isNew: true }, ['En direct', 'Inédit']],
  [{ isPremiere: true, isNew: true }, ['Première diffusion']],
  [{ isRepeat: true, isLastChance: true }, ['Rediffusion', 'Dernière diffusion']],
  [{ isRepeat: true, isNew: true }, ['Inédit']],
  [
    { isAudioDescribed: true, isSigned: true, isSubtitled: true },
    ['Audiodescription', 'Langue des signes', 'Sous-titré'],
  ],
])('a showing with %o has these labels', (announced, flags) => {
  expect(flagsOf({ ...NOTHING_ANNOUNCED, ...announced }, t)).toEqual(flags)
})

const CREDITS: AnnouncedDetails['credits'] = [
  { role: 'presenter', name: 'Mo' },
  { role: 'actor', name: 'Jean Soir', as: 'Le roi' },
  { role: 'actor', name: 'Zoé Vague' },
  { role: 'actor', name: 'Paul Nord' },
  { role: 'actor', name: 'Anne Sud' },
  { role: 'director', name: 'Ada Lune' },
]

test('a line of credits names the director and the first actors', () => {
  expect(shortCredits({ ...NOTHING_ANNOUNCED, credits: CREDITS }, t)).toBe(
    'Réalisation : Ada Lune · Distribution : Jean Soir, Zoé Vague, Paul Nord',
  )
  expect(shortCredits(NOTHING_ANNOUNCED, t)).toBe('')
})

test('V2.1-18 the facts of a programme contain everyone, and those of a library title link to searches', () => {
  const announced = {
    ...NOTHING_ANNOUNCED,
    credits: CREDITS,
    genres: ['Drame', 'Nuit'],
    shownBefore: 1_577_836_800,
  }
  const facts = (isOfLibrary: boolean) =>
    announcedFacts(announced, { place, isOfLibrary, t }).filter(([, value]) => value !== '')
  expect(facts(false)).toEqual([
    ['Réalisation', 'Ada Lune'],
    ['Distribution', 'Jean Soir (Le roi), Zoé Vague, Paul Nord, Anne Sud'],
    ['Présentation', 'Mo'],
    ['Genres', 'Drame, Nuit'],
    ['Première diffusion', '01/01/2020'],
  ])
  expect(facts(true).map(([, , key]) => key)).toEqual([
    'AD_LIREALIS',
    'AD_LIACTORS',
    undefined,
    'AD_LIGENRES',
    undefined,
  ])
})
