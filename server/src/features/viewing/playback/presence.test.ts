import { HEARTBEAT_SECONDS } from '@ondine/contract/playback'
import { expect, it } from 'vitest'
import { createPresence } from './presence.ts'

/** Creates a fake database that answers a write only when the test resolves it. */
function slowNotes() {
  const notes: { ids: readonly string[]; now: number; answer(): void }[] = []
  const note = async (ids: readonly string[], now: number): Promise<ReadonlySet<string>> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    notes.push({ ids, now, answer: resolve })
    await promise
    return new Set(ids)
  }
  return { notes, note }
}

/** Lets pending promises continue. */
const turn = async (): Promise<void> => await new Promise((resolve) => setImmediate(resolve))

it('records each session at the time of its own batch, however long heartbeats keep arriving', async () => {
  const { notes, note } = slowNotes()
  const presence = createPresence(note, () => expect.unreachable())
  // Another session sends a heartbeat before each batch is recorded. So the queue is never empty during ten
  // minutes.
  for (let second = 0; second <= 600; second += 5) {
    presence.heard(`session-${second}`, second * 1000)
    if (second === 0) continue
    notes.at(-1)?.answer()
    await turn()
    expect(notes.at(-1)).toMatchObject({ ids: [`session-${second}`], now: second * 1000 })
  }
})

it('never records a session with constant heartbeats as older than its second-last heartbeat', async () => {
  const { notes, note } = slowNotes()
  const presence = createPresence(note, () => expect.unreachable())
  let noted = Number.NEGATIVE_INFINITY
  for (let now = 0; now <= 1_800_000; now += 1000) {
    presence.heard(`other-${now}`, now)
    if (now % (HEARTBEAT_SECONDS * 1000) === 0) presence.heard('watching', now)
    const last = notes.at(-1)
    last?.answer()
    await turn()
    for (const { ids, now: at } of notes.splice(0, notes.length - 1)) if (ids.includes('watching')) noted = at
    if (noted > 0) expect(now - noted).toBeLessThanOrEqual(3 * HEARTBEAT_SECONDS * 1000)
  }
  expect(noted).toBeGreaterThan(1_700_000)
})
