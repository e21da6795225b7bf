import type { imports as french } from '../fra/imports.ts'

export const imports: typeof french = {
  title: 'Preparing the demonstration library',
  summary_one: '{{count}} of {{total}} titles',
  summary_other: '{{count}} of {{total}} titles',
  percent: '{{percent}}%',
  left: 'about {{duration}} left',
  show: 'Show details',
  close: 'Close',
  list: 'In preparation',
  progress: 'Progress of the library',
  waiting: 'Waiting',
  making: 'Creating',
  probing: 'Analysing',
  encoding: 'Encoding',
  packaging: 'Finishing',
  publishing: 'Publishing',
  ready: 'Ready',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
