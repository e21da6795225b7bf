import type { SKRSContext2D } from '@napi-rs/canvas'

/** The picture on which a world is drawn. The same world makes film frames, posters (portrait) and backgrounds. */
export interface Stage {
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  /** Seed of everything random in the world. */
  readonly seed: string
  /** Variation of the world: 0 for a film, the episode's index in a series. */
  readonly variation: number
}

/** A point in a film. */
export interface Moment {
  /** Seconds since the film began. */
  readonly seconds: number
  /** Fraction of the film that has run, 0 to 1. Worlds time their story by this fraction. */
  readonly progress: number
  /** Seconds of the whole film. */
  readonly duration: number
}

/**
 * A place with its own art direction. `draw` paints every pixel of the stage and accepts moments in any order. It
 * paints consecutive frames fastest.
 */
export interface World {
  draw(picture: SKRSContext2D, moment: Moment): void
}

/** Builds a world. Everything that does not move is painted here, once. */
export type WorldMaker = (stage: Stage) => World
