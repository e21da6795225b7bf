import type { FilmSettings } from './film.ts'

/** Messages between `make-library.ts` and its child processes. */

/** A crop of a picture. Lengths are fractions of the picture's width and height. */
export interface Crop {
  readonly left: number
  readonly top: number
  /** Fraction of the width, and of the height. */
  readonly size: number
}

/** Source of a still of a film or a series. */
export interface StillSource {
  /** Position in the film or episode, from 0 to 1. */
  readonly point: number
  /** Variation of the title's drawings: 0 for a film, the episode's index in a series. */
  readonly variation: number
  /** Defaults to the whole picture. */
  readonly crop?: Crop
}

/** A task for a child process. Tasks are small enough that two processes can work on the same title. */
export type Task =
  | (FilmSettings & { readonly kind: 'film'; readonly titleId: string; readonly folder: string })
  | (FilmSettings & {
      readonly kind: 'episode'
      readonly titleId: string
      readonly episode: number
      readonly folder: string
    })
  | (FilmSettings & { readonly kind: 'trailer'; readonly titleId: string; readonly folder: string })
  /** An advertisement: an index of `SPOTS`, with the drawings of a title. */
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

/** Messages from a child process to its parent. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'frames'; readonly done: number; readonly total: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string }
