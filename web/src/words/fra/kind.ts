export const kind = {
  film: 'Film',
  event: 'Événement',
  seriesPlain: 'Série',
  series_one: 'Série · {{count}} saison',
  series_other: 'Série · {{count}} saisons',
  programme: 'Programme',
  episode: 'Épisode',
}
