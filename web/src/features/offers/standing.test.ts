import { expect, test } from 'vitest'
import { buildOffer } from './offer-builder.ts'
import { standingOf } from './standing.ts'

const plan = (idOption: number, fields: Partial<Parameters<typeof standingOf>[0]> = {}) =>
  buildOffer({ idOption, offerType: 'subscription', ...fields })
const subscribed = (idOption: number, canChange = true) => ({ idOption, canChange })

test('A2.3-13 the plan that is paid is one’s own, and another is changed to, also where it gives nothing new', () => {
  expect(standingOf(plan(1), [subscribed(1)])).toBe('own')
  expect(standingOf(plan(2), [subscribed(1)])).toBe('change')
  expect(standingOf(plan(3, { userValidityActive: true }), [subscribed(1)])).toBe('change')
})

test('A2.3-13 rights that no subscription gave are held', () => {
  expect(standingOf(plan(1, { userValidityActive: true }), [])).toBe('held')
  expect(standingOf(plan(1), [])).toBe('open')
})

test('an option is added, and no plan is changed to it', () => {
  const option = plan(5, { requires: [1] })
  expect(standingOf(option, [subscribed(1)])).toBe('open')
  expect(standingOf(option, [subscribed(1), subscribed(5, false)])).toBe('own')
  expect(standingOf({ ...option, userValidityActive: true }, [subscribed(1)])).toBe('held')
})

test('a plan that cannot change now leaves others as they are', () => {
  expect(standingOf(plan(2), [subscribed(1, false)])).toBe('open')
})
