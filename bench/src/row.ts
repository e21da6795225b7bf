/** Unit of a figure. */
export type Unit =
  | '/s'
  | 'ms'
  | 's'
  | 'kB'
  | 'MB'
  | 'Gbit/s'
  | 'x real time'
  | '%'
  | 'channels'
  | 'of 100'
  /** A score without a unit. */
  | ''

/** Required and desired value of a figure; null for no such value. */
export interface Target {
  better: 'higher' | 'lower'
  mustReach: number | null
  aimsAt: number | null
}

/** A line of the table, with the measured values and the values of a reference. */
export interface Figure {
  what: string
  unit: Unit
  /** The values of all rounds. The table shows their median. */
  values: number[]
  target: Target
  /**
   * Values of another program that does the same work in the same run. They make results of different machines
   * comparable.
   */
  reference: Reference | null
  /** Conditions of the measurement that a reader needs to know. */
  note?: string
}

export interface Reference {
  what: string
  /** Values in the unit of the figure. */
  values: number[]
}

/** Numbers and durations that determine how long a row takes. */
export interface Effort {
  /** Number of rounds of each repeated measurement. */
  rounds: number
  /** Length of a round when a rate is measured, in milliseconds. */
  roundMs: number
  /** Time during which an idle service is observed, in seconds. */
  idleSeconds: number
  /** Number of playback starts, channel switches and seeks in the browser. */
  browserTries: number
  /** Number of times that Lighthouse loads each page, with the settings of a phone on a slow network. */
  pageLoads: number
  /** Length of the source films for ingest, in seconds. */
  sourceSeconds: number
  /** Largest number of scheduled channels. */
  channelLimit: number
  /** Length of a live signal, in seconds. */
  liveSeconds: number
  /** Numbers of live inputs that are tried, one after the other. */
  liveChannels: readonly number[]
  /** Number of titles of a large catalogue. Its guide has six times as many programmes. */
  titles: number
}

/** A measurement of the benchmark. It cleans up after itself, and does not depend on other measurements. */
export interface Row {
  /** Name of the measurement on the command line. */
  name: string
  measure(effort: Effort): Promise<Figure[]>
}

export const FULL: Effort = {
  rounds: 5,
  roundMs: 2000,
  idleSeconds: 15,
  browserTries: 20,
  pageLoads: 5,
  sourceSeconds: 60,
  channelLimit: 20_000,
  liveSeconds: 120,
  liveChannels: [20, 40],
  titles: 50_000,
}

export const QUICK: Effort = {
  rounds: 2,
  roundMs: 700,
  idleSeconds: 3,
  browserTries: 4,
  pageLoads: 1,
  sourceSeconds: 12,
  channelLimit: 500,
  liveSeconds: 20,
  liveChannels: [20, 40],
  titles: 5000,
}
