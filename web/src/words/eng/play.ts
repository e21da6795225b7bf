import type { play as french } from '../fra/play.ts'

export const play: typeof french = {
  play: 'Play',
  resume: 'Resume at {{position}}',
  episode: 'Play S{{season}} E{{episode}}',
  resumeEpisode: 'Resume S{{season}} E{{episode}}',
  watchLive: 'Watch live',
  connect: 'Sign in',
  connectLabel: 'Sign in to watch {{title}}',
  trailer: 'Trailer',
  trailerOf: 'Trailer: {{title}}',
  preparing: 'Available soon · {{percent}}%',
  failed: 'This title isn’t available.',
  locked: 'Your subscription doesn’t include this title.',
  lockedChannel: 'Your subscription doesn’t include this channel.',
}
