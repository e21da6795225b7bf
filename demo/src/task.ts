import type { FilmSettings } from './film.ts'

/** Messages between the library and its maker processes. */

/** A part of a picture. Lengths are fractions of the picture's width and height. */
export interface Crop {
  readonly left: number
  readonly top: number
  /** Fraction of both the width and the height. */
  readonly size: number
}

/** Source of a still of a film or a series. */
export interface StillSource {
  /** Point in the length of the film or episode, from 0 to 1. */
  readonly point: number
  /** Variation of the title's world: 0 for a film, the episode's index in a series. */
  readonly variation: number
  /** By default the whole picture. */
  readonly crop?: Crop
}

/** A piece of work, so small that two makers can work on the same title. */
export type Task =
  | (FilmSettings & { readonly kind: 'film'; readonly titleId: string; readonly folder: string })
  | (FilmSettings & {
      readonly kind: 'episode'
      readonly titleId: string
      readonly episode: number
      readonly folder: string
    })
  | (FilmSettings & { readonly kind: 'trailer'; readonly titleId: string; readonly folder: string })
  /** A spot of `SPOTS`, in the world of a title. */
  | {
      readonly kind: 'spot'
      readonly titleId: string
      readonly spot: number
      readonly folder: string
      readonly cut: FilmSettings
    }
  /** All pictures of a title. */
  | { readonly kind: 'artwork'; readonly titleId: string; readonly folder: string }
  /** A still of the film or the series, as the JPEG `file`. */
  | (StillSource & { readonly kind: 'still'; readonly titleId: string; readonly file: string })

/** Messages from a maker to the process that started it. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'frames'; readonly done: number; readonly total: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string }
