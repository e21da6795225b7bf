import type { SKRSContext2D } from '@napi-rs/canvas'

/** The picture on which a world is drawn. It may be a frame of a film, an upright poster or a background. */
export interface Stage {
  /** Width in pixels. */
  readonly width: number
  /** Height in pixels. */
  readonly height: number
  /** Seed of all random numbers in the drawing. */
  readonly seed: string
  /** Variation of the drawing: 0 for a film, the episode's index in a series. */
  readonly variation: number
}

/** A position in a film. */
export interface Moment {
  /** Seconds since the film's start. */
  readonly seconds: number
  /** Elapsed fraction of the film, from 0 to 1. The story of a world depends on this fraction. */
  readonly progress: number
  /** Duration of the film, in seconds. */
  readonly duration: number
}

/**
 * The animated drawing of a place, in its own style. `draw` paints every pixel of the stage. It accepts moments in
 * any order, but is fastest for consecutive frames.
 */
export interface World {
  draw(picture: SKRSContext2D, moment: Moment): void
}

/** Creates a world. Parts that do not move are painted only here. */
export type WorldMaker = (stage: Stage) => World
