import type { Rendition } from './track-set.ts'

/**
 * Computes the start of each segment of a rendition from its run-length coded durations, in logarithmic time.
 * Segments count from 0 here. File names, and all numbers that people see, count from 1.
 */
export class SegmentTimes {
  readonly timescale: number
  /** Number of segments. */
  readonly count: number
  /** Decode time at which the last segment ends, in ticks. */
  readonly endTicks: number
  /** Duration of the segments of each run, in ticks. A run is a sequence of segments of equal duration. */
  readonly runTicks: readonly number[]
  /** Index of the first segment of each run, followed by `count`. */
  readonly runFirst: readonly number[]
  readonly #runStart: readonly number[]

  /** @param firstTicks decode time of the first segment */
  constructor(timescale: number, runs: readonly (readonly [ticks: number, count: number])[], firstTicks = 0) {
    const runFirst: number[] = []
    const runStart: number[] = []
    const runTicks: number[] = []
    let count = 0
    let ticksSoFar = firstTicks
    for (const [ticks, length] of runs) {
      runFirst.push(count)
      runStart.push(ticksSoFar)
      runTicks.push(ticks)
      count += length
      ticksSoFar += ticks * length
    }
    runFirst.push(count)
    this.timescale = timescale
    this.count = count
    this.endTicks = ticksSoFar
    this.runTicks = runTicks
    this.runFirst = runFirst
    this.#runStart = runStart
  }

  /**
   * Returns the decode time at which segment `index` begins, in ticks. For `count`, returns the end of the last
   * segment.
   */
  startTicks(index: number): number {
    if (index >= this.count) return this.endTicks
    const run = this.runOf(index)
    return (this.#runStart[run] ?? 0) + (index - (this.runFirst[run] ?? 0)) * (this.runTicks[run] ?? 0)
  }

  /**
   * Returns the number of segments that have ended at decode time `ticks`. This is also the index of the segment
   * that contains `ticks`.
   */
  endedAt(ticks: number): number {
    if (ticks >= this.endTicks) return this.count
    if (ticks < this.startTicks(0)) return 0
    const run = lastAtMost(this.#runStart, ticks)
    const within = Math.floor((ticks - (this.#runStart[run] ?? 0)) / (this.runTicks[run] ?? 1))
    return (this.runFirst[run] ?? 0) + within
  }

  /** Returns the run of segment `index`. */
  runOf(index: number): number {
    return lastAtMost(this.runFirst, index)
  }

  /** Returns the duration of the longest segment, in seconds. */
  longestSeconds(): number {
    let longest = 0
    for (const ticks of this.runTicks) longest = Math.max(longest, ticks)
    return longest / this.timescale
  }
}

/** Returns the index of the last of the ascending `numbers` that is at most `limit`; 0 when all are above. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle
    else high = middle
  }
  return low
}

const known = new WeakMap<Rendition, SegmentTimes>()

/**
 * Returns the {@link SegmentTimes} of `rendition`, computed once. The result stays valid, because TrackSets are
 * immutable.
 */
export function segmentTimes(rendition: Rendition): SegmentTimes {
  let times = known.get(rendition)
  if (!times) {
    times = new SegmentTimes(rendition.timescale, rendition.segments, rendition.startTicks)
    known.set(rendition, times)
  }
  return times
}
