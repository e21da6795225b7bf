import { importItem } from '@ondine/contract/library'
import { expect, test } from 'vitest'
import { inWorkingOrder } from './working-order.ts'

const RANKS = [
  ['making', 'probing', 'encoding', 'packaging', 'publishing'],
  ['waiting'],
  ['failed', 'cancelled'],
  ['ready'],
]
const STATES = importItem.shape.state.options

test('the import list shows items in preparation first, then waiting, failed and ready ones', () => {
  expect(RANKS.flat().toSorted()).toEqual(STATES.toSorted())
  const ordered = inWorkingOrder([...STATES.toReversed(), ...STATES].map((state) => ({ state })))
  const ranks = ordered.map(({ state }) => RANKS.findIndex((states) => states.includes(state)))
  expect(ranks).toEqual(ranks.toSorted((one, other) => one - other))
})

test('waiting and ready items of the import list keep their order', () => {
  const items = [
    { title: 'ready first', state: 'ready' },
    { title: 'waits first', state: 'waiting' },
    { title: 'ready second', state: 'ready' },
    { title: 'waits second', state: 'waiting' },
    { title: 'is encoded', state: 'encoding' },
  ] as const
  expect(inWorkingOrder(items).map(({ title }) => title)).toEqual([
    'is encoded',
    'waits first',
    'waits second',
    'ready first',
    'ready second',
  ])
})
