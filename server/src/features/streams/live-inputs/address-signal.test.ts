import { describe, expect, it } from 'vitest'
import { AddressSignal, type Side, sideToShow } from './address-signal.ts'

const SECOND = 1000
const BEGAN_AT = 1_700_000_000_000

/** The events at an address within one second. */
interface Second {
  /** Whether media arrives. */
  hears?: boolean
  /** Duration of the segment that is complete in this second. */
  cutMs?: number | undefined
  /** Whether the channel can show the segment. Only segments of the active address are tried. */
  isFit?: boolean
}

interface TestLine {
  signal: AddressSignal
  heardAt: number | null
  steadySince: number | null
}

const silentLine = (): TestLine => ({ signal: new AddressSignal(), heardAt: null, steadySince: null })

/** An input with two addresses, and a clock that moves second by second. */
function input() {
  const lines = { main: silentLine(), spare: silentLine() }
  const signals = { main: lines.main.signal, spare: lines.spare.signal }
  let active: Side = 'main'
  let now = BEGAN_AT
  /** Lets `seconds` pass. @returns the addresses that were active, without repetition */
  function pass(seconds: number, does: (second: number) => Record<Side, Second>): Side[] {
    const shown = new Set<Side>()
    for (let second = 1; second <= seconds; second++) {
      now += SECOND
      const acts = does(second)
      for (const side of ['main', 'spare'] as const) {
        const { hears = true, cutMs, isFit = true } = acts[side]
        const line = lines[side]
        if (hears) {
          line.heardAt = now
          line.steadySince ??= now
        } else line.steadySince = null
        if (cutMs !== undefined) line.signal.cut(cutMs, now)
        if (cutMs !== undefined && side === active) line.signal.shown(isFit, now)
        line.signal.listen(line, now)
      }
      active = sideToShow(active, signals, BEGAN_AT, now)
      shown.add(active)
    }
    return [...shown]
  }
  return { pass, signals }
}

/** Segments of 2 s without a fault. */
const steady = (second: number): Second => ({ cutMs: second % 2 === 0 ? 2 * SECOND : undefined })
const both = (second: number) => ({ main: steady(second), spare: steady(second) })
const mainWithoutSegments = (second: number) => ({ main: {}, spare: steady(second) })

describe('the address of an input that is shown', () => {
  it('is the spare after 7 s without a segment, until the main address has sent segments for a minute', () => {
    const { pass } = input()
    expect(pass(120, both)).toEqual(['main'])
    expect(pass(6, mainWithoutSegments)).toEqual(['main'])
    expect(pass(2, mainWithoutSegments)).toEqual(['spare'])
    expect(pass(1, () => ({ main: { cutMs: 2 * SECOND }, spare: {} }))).toEqual(['spare'])
    expect(pass(59, both)).toEqual(['spare'])
    expect(pass(2, both)).toEqual(['main'])
  })

  it('is the spare while the main address is silent, and until it was steady for a minute', () => {
    const { pass } = input()
    const silent = (second: number) => ({ main: { hears: false }, spare: steady(second) })
    pass(120, both)
    expect(pass(4, silent)).toEqual(['spare'])
    expect(pass(60, both)).toEqual(['spare'])
    expect(pass(1, both)).toEqual(['main'])
  })

  it('is the main address with its first segment, only at the start', () => {
    const { pass, signals } = input()
    expect(pass(10, (second) => ({ main: { hears: false }, spare: steady(second) }))).toEqual(['spare'])
    expect(pass(1, mainWithoutSegments)).toEqual(['spare'])
    expect(pass(1, both)).toEqual(['spare'])
    expect(pass(1, () => ({ main: { cutMs: 2 * SECOND }, spare: {} }))).toEqual(['main'])
    // The main address sends since the start. That makes it no steadier later.
    const since = signals.main.steadyFrom
    expect(pass(120, both)).toEqual(['main'])
    expect(signals.main.steadyFrom).toBe(since)
    expect(sideToShow('spare', signals, BEGAN_AT, BEGAN_AT + 45 * SECOND)).toBe('spare')
    expect(sideToShow('spare', signals, BEGAN_AT, BEGAN_AT + 39 * SECOND)).toBe('main')
  })

  it('is the main address while its segments have different lengths', () => {
    const { pass } = input()
    const irregular = (second: number) => ({
      main: { cutMs: { 1: 2 * SECOND, 2: 2 * SECOND, 0: 10 * SECOND }[second % 14] },
      spare: steady(second),
    })
    pass(14, irregular)
    expect(pass(140, irregular)).toEqual(['main'])
  })

  it('is the main address again for a try, a minute after its segments could not be shown', () => {
    const { pass } = input()
    pass(120, both)
    const unfit = (second: number) => ({ main: { ...steady(second), isFit: false }, spare: steady(second) })
    expect(pass(8, unfit)).toEqual(['main', 'spare'])
    expect(pass(55, unfit)).toEqual(['spare'])
    expect(pass(8, unfit)).toEqual(['spare', 'main'])
    pass(55, both)
    expect(pass(20, both).at(-1)).toBe('main')
  })
})
