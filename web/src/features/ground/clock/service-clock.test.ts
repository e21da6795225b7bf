import { describe, expect, test, vi } from 'vitest'
import { ServiceClock } from './service-clock.ts'

const NOON = Date.UTC(2026, 0, 15, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** A service and a device whose clocks the test sets. */
class World {
  service = NOON
  steady = 5000
  device = NOON
  /** Round trips of the next requests, in ms. */
  roundTrips: number[] = []
  reachable = true
  readonly ask = vi.fn(async () => {
    const took = this.roundTrips.shift() ?? 20
    this.pass(took / 2)
    const told = this.service
    this.pass(took / 2)
    await Promise.resolve()
    if (!this.reachable) throw new TypeError('Failed to fetch')
    return told
  })

  /** Advances all clocks. */
  pass(milliseconds: number): void {
    this.service += milliseconds
    this.steady += milliseconds
    this.device += milliseconds
  }

  /** Lets the device sleep. Depending on the system, its monotonic clock stops or continues during that time. */
  sleep(milliseconds: number, { steadyGoesOn }: { steadyGoesOn: boolean }): void {
    this.service += milliseconds
    this.device += milliseconds
    if (steadyGoesOn) this.steady += milliseconds
  }

  clock(guess = this.service): ServiceClock {
    return new ServiceClock(
      { steady: () => this.steady, device: () => this.device, ask: this.ask },
      guess,
      this.steady,
    )
  }

  error(clock: ServiceClock): number {
    return Math.abs(clock.now() - this.service)
  }
}

describe('the service time', () => {
  test.each([-10 * MINUTE, 10 * MINUTE, -30 * 24 * HOUR])(
    'does not depend on the device’s clock, which is off by %d ms',
    async (wrong) => {
      const world = new World()
      world.device += wrong
      const clock = world.clock()
      expect(world.error(clock)).toBe(0)
      await clock.correct()
      world.pass(HOUR / 10)
      expect(world.error(clock)).toBeLessThan(1)
    },
  )

  test('is derived from the page’s time until the service answers', () => {
    const world = new World()
    const clock = new ServiceClock(
      { steady: () => world.steady, device: () => world.device, ask: world.ask },
      NOON - 3000,
      world.steady - 3000,
    )
    expect(world.error(clock)).toBe(0)
  })

  test('is right within half a round trip, and uses the fastest of slow answers', async () => {
    const world = new World()
    const clock = world.clock(NOON - 5 * MINUTE)
    world.roundTrips = [3000, 400, 900]
    await clock.correct()
    expect(world.ask).toHaveBeenCalledTimes(3)
    expect(world.error(clock)).toBeLessThanOrEqual(200)
  })

  test('is requested again soon when all answers were slow, and less and less often while they stay slow', async () => {
    const world = new World()
    const clock = world.clock(NOON - 5 * MINUTE)
    world.roundTrips = Array.from({ length: 300 }, () => 2000)
    await clock.correct()
    const asked = []
    for (let second = 0; second < 30 * 60; second++) {
      const before = world.ask.mock.calls.length
      await clock.check()
      if (world.ask.mock.calls.length > before) asked.push(second)
      world.pass(1000)
    }
    expect(asked[0]).toBeLessThanOrEqual(11)
    expect(asked.length).toBeLessThan(10)
    world.roundTrips = []
    world.pass(11 * MINUTE)
    await clock.check()
    expect(world.error(clock)).toBeLessThan(100)
    world.pass(9 * MINUTE)
    expect(clock.doubtful).toBe(false)
  })

  test('is not made worse by an answer that is slower than the known one', async () => {
    const world = new World()
    const clock = world.clock()
    await clock.correct()
    world.pass(11 * MINUTE)
    const told = world.service
    world.ask.mockImplementation(async () => {
      // The answer arrives two seconds after the service wrote it.
      world.pass(2000)
      await Promise.resolve()
      return world.service - 2000
    })
    await clock.check()
    expect(world.service).toBeGreaterThan(told)
    expect(world.error(clock)).toBeLessThan(100)
  })

  test('is requested once for simultaneous callers', async () => {
    const world = new World()
    const clock = world.clock()
    await Promise.all([clock.correct(), clock.correct(), clock.check()])
    expect(world.ask).toHaveBeenCalledTimes(1)
    await clock.check()
    expect(world.ask).toHaveBeenCalledTimes(1)
  })

  test('ignores a tiny difference', async () => {
    const world = new World()
    const clock = world.clock(NOON + 60)
    const corrected = vi.fn()
    clock.onCorrected(corrected)
    await clock.correct()
    expect(corrected).not.toHaveBeenCalled()
    expect(world.error(clock)).toBe(60)
  })
})

describe('after a jump', () => {
  test.each([
    ['stops', false],
    ['continues', true],
  ])(
    'a device that slept, and whose steady clock %s meanwhile, is right after one request',
    async (_, steadyGoesOn) => {
      const world = new World()
      const clock = world.clock()
      await clock.correct()
      expect(clock.doubtful).toBe(false)
      world.sleep(9 * HOUR, { steadyGoesOn })
      expect(clock.doubtful).toBe(true)
      const corrected = vi.fn()
      clock.onCorrected(corrected)
      await clock.check()
      expect(world.error(clock)).toBeLessThan(100)
      expect(corrected).toHaveBeenCalledTimes(steadyGoesOn ? 0 : 1)
      expect(clock.doubtful).toBe(false)
    },
  )

  test('a device that fell asleep during the request is right all the same: it discards the earlier answer', async () => {
    const world = new World()
    const clock = world.clock()
    await clock.correct()
    world.sleep(2000, { steadyGoesOn: false })
    world.ask.mockImplementationOnce(async () => {
      const told = world.service
      world.sleep(9 * HOUR, { steadyGoesOn: false })
      await Promise.resolve()
      return told
    })
    await clock.check()
    expect(world.error(clock)).toBeLessThan(100)
    expect(clock.doubtful).toBe(false)
  })

  test.each([-5 * HOUR, 5 * HOUR])('a device whose clock is set by %d ms changes nothing', async (by) => {
    const world = new World()
    const clock = world.clock()
    await clock.correct()
    world.device += by
    expect(world.error(clock)).toBeLessThan(100)
    await clock.check()
    expect(world.ask).toHaveBeenCalledTimes(2)
    expect(world.error(clock)).toBeLessThan(100)
  })

  test('a device that slept and has no connection uses its own clock, and asks again later', async () => {
    const world = new World()
    const clock = world.clock()
    await clock.correct()
    world.sleep(HOUR, { steadyGoesOn: false })
    world.reachable = false
    await clock.check()
    expect(world.error(clock)).toBeLessThan(100)
    world.pass(20 * MINUTE)
    await clock.check()
    world.reachable = true
    world.pass(1000)
    await clock.check()
    expect(world.ask).toHaveBeenCalledTimes(3)
    world.pass(5000)
    await clock.check()
    expect(world.ask).toHaveBeenCalledTimes(4)
    expect(clock.doubtful).toBe(false)
  })

  test('a clock that was set back without a connection is not trusted', async () => {
    const world = new World()
    const clock = world.clock()
    await clock.correct()
    world.device -= 2 * HOUR
    world.reachable = false
    await clock.check()
    expect(world.error(clock)).toBeLessThan(100)
  })

  test('a page that stays open asks again from time to time, because clocks drift', async () => {
    const world = new World()
    const clock = world.clock()
    await clock.correct()
    world.steady += 400
    world.device += 400
    world.pass(11 * MINUTE)
    await clock.check()
    expect(world.error(clock)).toBeLessThan(100)
  })
})
