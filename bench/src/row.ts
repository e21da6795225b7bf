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

/** Required and desired values of a figure; null without a target. */
export interface Target {
  better: 'higher' | 'lower'
  mustReach: number | null
  aimsAt: number | null
}

/** One line of the table: the measured values, one for each round, and the values of a reference. */
export interface Figure {
  what: string
  unit: Unit
  /** One value for each round; the table shows the median. */
  values: number[]
  target: Target
  /** Another program that does the same work in the same run, so that results of different machines can be compared. */
  reference: Reference | null
  /** Facts that a reader needs to understand the figure. */
  note?: string
}

export interface Reference {
  what: string
  /** In the unit of the figure. */
  values: number[]
}

/** Time budget of a row. */
export interface Effort {
  /** Rounds of every repeated measurement. */
  rounds: number
  /** Length of one round of a rate, in milliseconds. */
  roundMs: number
  /** Seconds for which an idle service is observed. */
  idleSeconds: number
  /** Number of starts, zaps and seeks in the browser. */
  browserTries: number
  /** Number of times that Lighthouse loads each page, on a simulated phone with a slow network. */
  pageLoads: number
  /** Length of the films for ingest, in seconds. */
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

/** A row of the table. It measures one thing, cleans up after itself, and does not depend on other rows. */
export interface Row {
  /** Name of the row on the command line. */
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
