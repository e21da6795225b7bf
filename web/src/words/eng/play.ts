import type { play as french } from '../fra/play.ts'

export const play: typeof french = {
  play: 'Play',
  resume: 'Resume at {{position}}',
  episode: 'Play S{{season}} E{{episode}}',
  resumeEpisode: 'Resume S{{season}} E{{episode}}',
  watchLive: 'Watch live',
  fromStart: 'Watch from the start',
  notBegun: 'This live event hasn’t started yet.',
  connect: 'Sign in',
  connectLabel: 'Sign in to watch {{title}}',
  trailer: 'Trailer',
  trailerOf: 'Trailer: {{title}}',
  preparing: 'Available soon · {{percent}}%',
  failed: 'This title isn’t available.',
  locked: 'You don’t have a subscription for this title.',
  lockedChannel: 'You don’t have a subscription for this channel.',
}
