import type { SKRSContext2D } from '@napi-rs/canvas'

/** The picture a world is drawn on. The same world makes film frames, posters (portrait) and backgrounds. */
export interface Stage {
  /** Pixels. */
  readonly width: number
  /** Pixels. */
  readonly height: number
  /** Everything random in the world comes from here. */
  readonly seed: string
  /** Which of its variations the world shows: 0 for a film, the episode's index in a series. */
  readonly variation: number
}

/** A point in a film. */
export interface Moment {
  /** Seconds since the film began. */
  readonly seconds: number
  /** How much of the film has run, 0 to 1: worlds tell their story by it. */
  readonly progress: number
  /** Seconds of the whole film. */
  readonly duration: number
}

/**
 * A place with its own art direction. `draw` paints every pixel of the stage and may be called for moments in any
 * order, though it is quickest for one frame after the other.
 */
export interface World {
  draw(picture: SKRSContext2D, moment: Moment): void
}

/** Builds a world: everything that does not move is painted here, once. */
export type WorldMaker = (stage: Stage) => World
