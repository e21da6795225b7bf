import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { registrationMachine } from './registration-machine.ts'

function begin(hasOffers: boolean) {
  return createActor(registrationMachine, { input: { hasOffers } }).start()
}

test('A2.1-07 A2.1-08 A2.1-09 A2.1-10 goes from the details over offer and summary to the confirmation', () => {
  const actor = begin(true)
  const steps = [actor.getSnapshot().value]
  for (const event of [
    { type: 'made', email: 'a@example.org' },
    { type: 'chosen', offerIds: [12] },
    { type: 'back' },
    { type: 'chosen', offerIds: [] },
    { type: 'confirmed' },
  ] as const) {
    actor.send(event)
    steps.push(actor.getSnapshot().value)
  }
  expect(steps).toEqual([
    'register-informations',
    'register-offers',
    'register-summary',
    'register-offers',
    'register-summary',
    'register-confirmation',
  ])
  expect(actor.getSnapshot().context).toEqual({
    email: 'a@example.org',
    offerIds: [],
    orderId: null,
    hasOffers: true,
  })
})

test('A4.6-04 a closed profile form ends the steps, except on the summary', () => {
  const ended = [[], ['made'], ['made', 'chosen'], ['made', 'chosen', 'confirmed']].map((steps) => {
    const actor = begin(true)
    for (const type of [...steps, 'profileClosed'] as ('made' | 'chosen' | 'confirmed' | 'profileClosed')[])
      actor.send({ type, email: 'a@example.org', offerIds: [] })
    return actor.getSnapshot().value
  })
  expect(ended).toEqual([
    'register-confirmation',
    'register-confirmation',
    'register-summary',
    'register-confirmation',
  ])
})

test('A2.1-09 the summary keeps its options, and ends once it is paid', () => {
  const actor = begin(true)
  actor.send({ type: 'made', email: 'a@example.org' })
  actor.send({ type: 'paid', orderId: 7 })
  expect(actor.getSnapshot().value).toBe('register-offers')
  actor.send({ type: 'chosen', offerIds: [12] })
  actor.send({ type: 'chosen', offerIds: [12, 13] })
  expect(actor.getSnapshot().value).toBe('register-summary')
  actor.send({ type: 'paid', orderId: 7 })
  expect(actor.getSnapshot().value).toBe('register-confirmation')
  expect(actor.getSnapshot().context).toMatchObject({ offerIds: [12, 13], orderId: 7 })
})

test('has two steps without offers', () => {
  const actor = begin(false)
  actor.send({ type: 'made', email: 'a@example.org' })
  expect(actor.getSnapshot().value).toBe('register-confirmation')
})

test('skips no step, and continues after a reload', () => {
  const actor = begin(true)
  actor.send({ type: 'confirmed' })
  expect(actor.getSnapshot().value).toBe('register-informations')
  actor.send({ type: 'made', email: 'a@example.org' })
  const kept = JSON.parse(JSON.stringify(actor.getPersistedSnapshot())) as ReturnType<
    typeof actor.getPersistedSnapshot
  >
  const again = createActor(registrationMachine, {
    snapshot: kept,
    input: { hasOffers: true },
  }).start()
  expect(again.getSnapshot().value).toBe('register-offers')
})
