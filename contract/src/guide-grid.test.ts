import { expect, test } from 'vitest'
import { type GridProgramme, packGuide, unpackChannel } from './guide-grid.ts'
import { packedGuide } from './packed-guide.ts'

const START = 1_795_212_000

function programme(id: number, title: string, from: number, to: number, isNeedParentalCode = false) {
  return {
    id,
    id_channel: 7,
    title,
    startutc: START + from,
    endutc: START + to,
    isNeedParentalCode,
  } satisfies GridProgramme
}

test.each<[string, GridProgramme[]]>([
  ['one', [programme(12, 'La Houle', 0, 3600)]],
  ['one after the other', [programme(1, 'A', 0, 60), programme(2, 'B', 60, 90), programme(3, 'A', 90, 150)]],
  ['with a gap', [programme(1, 'A', 0, 60), programme(2, 'B', 600, 900)]],
  ['that overlap', [programme(1, 'A', 0, 600), programme(2, 'B', 540, 900), programme(3, 'C', 900, 960)]],
  ['whose identifiers are not in order', [programme(90, 'A', 0, 60), programme(4, 'B', 60, 90)]],
  ['of which one needs the code', [programme(1, 'A', 0, 60), programme(2, 'B', 60, 90, true)]],
  ['of no length', [programme(1, 'A', 0, 0), programme(2, 'B', 0, 90)]],
])('packs programmes %s, and unpacks them unchanged', (_what, programmes) => {
  const packed = packGuide([[7, programmes]])
  expect(packedGuide.parse(JSON.parse(JSON.stringify(packed)))).toEqual(packed)
  expect(unpackChannel(packed, 7)).toEqual(programmes)
})

test('V3-26 keys a packed guide by channel, and stores each title once', () => {
  const packed = packGuide([
    [7, [programme(1, 'Le journal', 0, 60)]],
    [8, [programme(2, 'Le journal', 0, 60)]],
    [9, []],
  ])
  expect(Object.keys(packed.channels)).toEqual(['chan_7', 'chan_8'])
  expect(packed.titles).toEqual(['Le journal'])
  expect(unpackChannel(packed, 9)).toEqual([])
})
