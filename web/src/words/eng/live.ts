import type { live as french } from '../fra/live.ts'

export const live: typeof french = {
  title: 'Live',
  lead: 'What is on right now, on every channel.',
  empty: 'No channels are available yet. They arrive with the first films.',
  later: 'Today on {{channel}}',
  wholeDay: 'Full day',
  noProgramme: 'No information available',
  noProgrammes: 'The schedule of this channel is not available yet.',
  channels: 'All channels',
  progress: 'Progress of {{title}}',
}
