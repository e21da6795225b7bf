import { expect, test } from 'vitest'
import { standingOf } from './standing.ts'

const offer = (idOption: number, userValidityActive = false) => ({ idOption, userValidityActive })
const subscribed = (idOption: number, ...replaceableBy: number[]) => ({ idOption, replaceableBy })

test('A2.3-13 the paid plan is the account’s own, and the plans that can replace it are changes, even when they add nothing', () => {
  expect(standingOf(offer(1, true), [subscribed(1, 2, 3)])).toBe('own')
  expect(standingOf(offer(2), [subscribed(1, 2, 3)])).toBe('change')
  expect(standingOf(offer(3, true), [subscribed(1, 2, 3)])).toBe('change')
})

test('an offer that is possible beside a plan is bought in addition', () => {
  expect(standingOf(offer(4), [subscribed(1, 2)])).toBe('open')
  expect(standingOf(offer(4, true), [subscribed(1, 2), subscribed(4)])).toBe('own')
})

test('A2.3-13 rights without a subscription are held', () => {
  expect(standingOf(offer(1, true), [])).toBe('held')
  expect(standingOf(offer(4, true), [subscribed(1, 2)])).toBe('held')
  expect(standingOf(offer(1), [])).toBe('open')
})
