/** What a figure is counted in. */
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
  /** A number on a scale of its own. */
  | ''

/** What a figure has to reach, and what it would like to; null where nothing is asked. */
export interface Target {
  better: 'higher' | 'lower'
  mustReach: number | null
  aimsAt: number | null
}

/** One line of the table: what was measured, once for each round, and what it is held against. */
export interface Figure {
  what: string
  unit: Unit
  /** One value for each round; the table shows the middle one. */
  values: number[]
  target: Target
  /** The same work done by something else in the same run, so that figures of different machines can be compared. */
  reference: Reference | null
  /** What a reader has to know to understand the figure. */
  note?: string
}

export interface Reference {
  what: string
  /** In the unit of its figure. */
  values: number[]
}

/** How much time a row may take. */
export interface Effort {
  /** Rounds of everything that is measured more than once. */
  rounds: number
  /** Length of one round of a rate, in milliseconds. */
  roundMs: number
  /** Seconds that a service is watched doing nothing. */
  idleSeconds: number
  /** Starts, zaps and seeks in the browser. */
  browserTries: number
  /** How often a page is loaded as a phone on a slow network does. */
  pageLoads: number
  /** Length of the films that ingest is measured with, in seconds. */
  sourceSeconds: number
  /** Most channels that are scheduled. */
  channelLimit: number
  /** Titles of a large catalogue; six times as many programmes are in its guide. */
  titles: number
}

/** A row of the table: it measures one thing, cleans up after itself, and knows nothing of the other rows. */
export interface Row {
  /** Chooses the row on the command line. */
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
  titles: 5000,
}
