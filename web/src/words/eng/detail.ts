import type { detail as french } from '../fra/detail.ts'

export const detail: typeof french = {
  episodes: 'Episodes',
  about: 'About',
  related: 'More like this',
  season: 'Season {{number}}',
  chooseSeason: 'Choose a season',
  noEpisodes: 'The episodes of this season are coming soon.',
  noRelated: 'Nothing else like this yet.',
  partOf: 'Episode of {{title}}',
  next: 'Next episode',
  readMore: 'Read more',
  readLess: 'Read less',
  sections: 'Page content',
}
