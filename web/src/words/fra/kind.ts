export const kind = {
  film: 'Film',
  series_zero: 'Série',
  series_one: 'Série · {{count}} saison',
  series_other: 'Série · {{count}} saisons',
  programme: 'Programme',
  episode: 'Épisode',
}
