import type { Channel } from '@ondine/contract/entities'
import { expect, test } from 'vitest'
import { channelGroups, channelsOf } from './channel-groups.ts'

const channels = ['Cinéma', 'Sport', 'Cinéma', ''].map((mainGenre, index) => ({
  idChannel: index + 1,
  mainGenre,
})) as Channel[]

test('channels are grouped by their genres, each with an address', () => {
  expect(channelGroups(channels)).toEqual([
    { slug: 'cinema', title: 'Cinéma' },
    { slug: 'sport', title: 'Sport' },
  ])
  const idsOf = (slug: string) => channelsOf(channels, slug)?.map(({ idChannel }) => idChannel)
  expect(idsOf('cinema')).toEqual([1, 3])
  expect(idsOf('all')).toEqual([1, 2, 3, 4])
  expect(idsOf('nowhere')).toBeUndefined()
  expect(idsOf('')).toBeUndefined()
})
