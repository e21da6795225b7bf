import type { detail as french } from '../fra/detail.ts'

export const detail: typeof french = {
  episodes: 'Episodes',
  about: 'About',
  related: 'More like this',
  season: 'Season {{number}}',
  chooseSeason: 'Choose a season',
  noEpisodes: 'Episodes for this season are coming soon.',
  noRelated: 'No similar titles yet.',
  partOf: 'Episode of {{title}}',
  actionOf: '{{action}}: {{title}}',
  next: 'Next episode',
  readMore: 'Read more',
  readLess: 'Read less',
  reviews: 'What people say',
  readReviews: 'Read the reviews',
  reviewsOf: 'Read the reviews of {{title}}',
  sections: 'On this page',
}
