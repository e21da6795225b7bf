import { expect, it } from 'vitest'
import { firstOfPorts } from './shared-ports.ts'

const input = (id: number, address: string, spareAddress: string | null = null) => ({
  id,
  address,
  spareAddress,
})

it('inputs of one RTMP port are received by the process that receives the first of them', () => {
  const firsts = firstOfPorts([
    input(1, 'rtmp://:1935/live/key-of-studio-one'),
    input(2, 'srt://:9000'),
    input(3, 'rtmp://:1936/live/key-of-studio-three'),
    input(4, 'srt://:9001', 'rtmp://:1935/live/key-of-studio-four'),
    input(5, 'not an address'),
  ])
  expect(Object.fromEntries(firsts)).toEqual({ 1: 1, 3: 3, 4: 1 })
})

it('an input on two ports joins the inputs of both', () => {
  const firsts = firstOfPorts([
    input(1, 'rtmp://:1935/live/key-of-studio-one'),
    input(2, 'rtmp://:1936/live/key-of-studio-two'),
    input(3, 'rtmp://:1936/live/key-of-studio-three', 'rtmp://:1935/live/key-of-studio-spare'),
    input(4, 'rtmp://:1936/live/key-of-studio-four'),
  ])
  expect([...firsts.values()]).toEqual([1, 1, 1, 1])
})
