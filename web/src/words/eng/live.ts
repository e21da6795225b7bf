import type { live as french } from '../fra/live.ts'

export const live: typeof french = {
  title: 'Live',
  lead: 'What is on right now, on every channel.',
  empty: 'No channels yet. They’ll arrive with the first films.',
  later: 'Today on {{channel}}',
  wholeDay: 'Full schedule',
  noProgramme: 'No information available',
  noneLater: 'No more programmes are listed for today.',
  noProgrammes: 'This channel’s schedule isn’t available yet.',
  channels: 'All channels',
  previousChannels: 'Previous channels',
  nextChannels: 'Next channels',
  progress: 'Progress: {{title}}',
}
