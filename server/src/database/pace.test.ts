import { expect, test } from 'vitest'
import { callBegins } from './callers.ts'
import { Pace } from './pace.ts'

test('a slice does not run between the steps of a call', async () => {
  const seen: string[] = []
  const call = async () => {
    const answered = callBegins()
    // Simulates a web page that waits for other threads while it is rendered, with idle turns of the event loop in
    // between.
    for (let step = 1; step <= 3; step++) {
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
      seen.push(`step ${step}`)
    }
    answered()
  }
  const calls: Promise<void>[] = []
  await new Pace(1).over(['first', 'second'], async ([name = '']) => {
    if (name === 'first') calls.push(call())
    seen.push(name)
  })
  await Promise.all(calls)
  expect(seen).toEqual(['first', 'step 1', 'step 2', 'step 3', 'second'])
})
