import type { kind as french } from '../fra/kind.ts'

export const kind: typeof french = {
  film: 'Film',
  event: 'Event',
  seriesPlain: 'Series',
  series_one: 'Series · {{count}} season',
  series_other: 'Series · {{count}} seasons',
  programme: 'Programme',
  episode: 'Episode',
}
