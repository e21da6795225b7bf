import type { Cut } from './film.ts'

/** Messages between the library and its maker processes. */

/** A piece of work, small enough that two makers share a title. */
export type Task =
  | (Cut & { readonly kind: 'film'; readonly titleId: string; readonly folder: string })
  | (Cut & {
      readonly kind: 'episode'
      readonly titleId: string
      readonly episode: number
      readonly folder: string
    })
  | (Cut & { readonly kind: 'trailer'; readonly titleId: string; readonly folder: string })
  /** All pictures of a title. */
  | { readonly kind: 'artwork'; readonly titleId: string; readonly folder: string }
  /** A still of the film or the series, at `point` of its length from 0 to 1, as the JPEG `file`. */
  | {
      readonly kind: 'still'
      readonly titleId: string
      readonly point: number
      readonly variation: number
      readonly file: string
    }

/** Messages from a maker to the process that started it. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'frames'; readonly done: number; readonly total: number }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly message: string }
