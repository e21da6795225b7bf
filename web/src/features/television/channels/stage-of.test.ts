import { expect, test } from 'vitest'
import { buildChannel, buildProgramme } from '../../content/catalogue/asset-builder.ts'
import { stageOf } from './stage-of.ts'

const NOW = 1_795_212_000
const closed = buildChannel({ idChannel: 1, isIncludedInUserOffers: false })
const silent = buildChannel({ idChannel: 2 })
const open = buildChannel({ idChannel: 3 })
const other = buildChannel({ idChannel: 4 })
const channels = [closed, silent, open, other]

/** Builds three programmes of a channel: an ended programme, the current programme, and the next programme. */
function programmesOf(idChannel: number) {
  return [
    buildProgramme({ id: idChannel * 10, id_channel: idChannel, startutc: NOW - 7200, endutc: NOW - 60 }),
    buildProgramme({ id: idChannel * 10 + 1, id_channel: idChannel, startutc: NOW - 60, endutc: NOW + 600 }),
    buildProgramme({ id: idChannel * 10 + 2, id_channel: idChannel, startutc: NOW + 600, endutc: NOW + 900 }),
  ]
}

test('the stage of /live shows the first channel that the viewer may watch and that has a current programme', () => {
  const guide = { chan_1: programmesOf(1), chan_3: programmesOf(3), chan_4: programmesOf(4) }
  const staged = stageOf(channels, guide, NOW)
  expect([staged?.channel.idChannel, staged?.current.id, staged?.next?.id]).toEqual([3, 31, 32])
})

test('the stage of /live shows a channel that the viewer may not watch when no other has a current programme', () => {
  expect(stageOf(channels, { chan_1: programmesOf(1) }, NOW)?.channel.idChannel).toBe(1)
})

test('the stage of /live shows the last announced programme without a next one', () => {
  const staged = stageOf(channels, { chan_3: programmesOf(3).slice(0, 2) }, NOW)
  expect([staged?.current.id, staged?.next]).toEqual([31, undefined])
})

test.each([
  ['the guide is not known', undefined],
  ['no channel has programmes', {}],
  ['the current programmes have ended', { chan_3: programmesOf(3).slice(0, 1) }],
  ['nothing has begun', { chan_3: programmesOf(3).slice(2) }],
])('/live has no stage when %s', (_when, guide) => {
  expect(stageOf(channels, guide, NOW)).toBeUndefined()
})
