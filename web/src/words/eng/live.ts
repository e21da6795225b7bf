import type { live as french } from '../fra/live.ts'

export const live: typeof french = {
  title: 'Live',
  lead: 'What is on right now, on every channel.',
  empty: 'No channel is on the air yet. They light up as soon as the first films are ready.',
  later: 'Today on {{channel}}',
  wholeDay: 'The whole day',
  noProgramme: 'Programme to come',
  noProgrammes: 'The schedule of this channel is not known yet.',
  channels: 'All channels',
  progress: 'Progress of {{title}}',
}
