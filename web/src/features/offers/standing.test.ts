import { expect, test } from 'vitest'
import { standingOf } from './standing.ts'

const offer = (idOption: number, userValidityActive = false) => ({ idOption, userValidityActive })
const subscribed = (idOption: number, ...replaceableBy: number[]) => ({ idOption, replaceableBy })

test('A2.3-13 the plan that is paid is one’s own, and what stands in its place is changed to, also where it gives nothing new', () => {
  expect(standingOf(offer(1, true), [subscribed(1, 2, 3)])).toBe('own')
  expect(standingOf(offer(2), [subscribed(1, 2, 3)])).toBe('change')
  expect(standingOf(offer(3, true), [subscribed(1, 2, 3)])).toBe('change')
})

test('what can be had beside a plan is bought, and added', () => {
  expect(standingOf(offer(4), [subscribed(1, 2)])).toBe('open')
  expect(standingOf(offer(4, true), [subscribed(1, 2), subscribed(4)])).toBe('own')
})

test('A2.3-13 rights that no subscription gave are held', () => {
  expect(standingOf(offer(1, true), [])).toBe('held')
  expect(standingOf(offer(4, true), [subscribed(1, 2)])).toBe('held')
  expect(standingOf(offer(1), [])).toBe('open')
})
