import type { Channel } from '@ondine/contract/entities'
import type { Language } from '@ondine/contract/languages'
import { expect, test } from 'vitest'
import { channelFilters, channelGroups, channelsOf, filterOf } from './channel-groups.ts'

const channels = ['Cinéma', 'Sport', 'Cinéma', ''].map((mainGenre, index) => ({
  idChannel: index + 1,
  mainGenre,
})) as Channel[]

test('channels are grouped by genre, each group with an address', () => {
  expect(channelGroups(channels, 'fra')).toEqual([
    { slug: 'cinema', title: 'Cinéma' },
    { slug: 'sport', title: 'Sport' },
  ])
  const idsOf = (slug: string) => channelsOf(channels, slug)?.map(({ idChannel }) => idChannel)
  expect(idsOf('cinema')).toEqual([1, 3])
  expect(idsOf('all')).toEqual([1, 2, 3, 4])
  expect(idsOf('nowhere')).toBeUndefined()
  expect(idsOf('')).toBeUndefined()
})

test('the guide can be filtered by favourites, where there are any, or by genre', () => {
  const slugsOf = (all: readonly Channel[]) => channelFilters(all, 'fra').map(({ slug }) => slug)
  expect(slugsOf(channels)).toEqual([undefined, 'cinema', 'sport'])
  const liked = channels.map((channel) => ({ ...channel, isFavorite: channel.idChannel === 2 }))
  expect(slugsOf(liked)).toEqual([undefined, 'favourites', 'cinema', 'sport'])
  const idsOf = (slug: string | undefined) =>
    filterOf(liked, slug, 'fra').channels.map(({ idChannel }) => idChannel)
  expect(idsOf('favourites')).toEqual([2])
  expect(idsOf('cinema')).toEqual([1, 3])
  // For a filter that does not exist (any more), all channels are shown.
  for (const slug of [undefined, 'nowhere']) expect(idsOf(slug)).toEqual([1, 2, 3, 4])
  expect(filterOf(channels, 'favourites', 'fra').channels).toHaveLength(4)
})

test('genres with different spellings of one slug are one', () => {
  const mixed = ['Cinéma', 'cinema'].map((mainGenre, id) => ({ idChannel: id, mainGenre })) as Channel[]
  expect(channelGroups(mixed, 'fra').map(({ slug }) => slug)).toEqual(['cinema'])
})

test('genres are in the alphabetical order of the language, ignoring accents and case', () => {
  const genres = ['Épopée', 'drame', 'Zoologie', 'Cinéma', 'Ångström'].map((mainGenre, id) => ({
    idChannel: id,
    mainGenre,
  })) as Channel[]
  const titlesIn = (language: Language) => channelGroups(genres, language).map(({ title }) => title)
  expect(titlesIn('fra')).toEqual(['Ångström', 'Cinéma', 'drame', 'Épopée', 'Zoologie'])
  expect(titlesIn('eng')).toEqual(titlesIn('fra'))
})
