import type { imports as french } from '../fra/imports.ts'

export const imports: typeof french = {
  title: 'The demonstration library is arriving',
  summary: '{{ready}} films of {{total}}',
  percent: '{{percent}}%',
  left: 'about {{duration}}',
  show: 'Show details',
  close: 'Close',
  list: 'What is arriving',
  progress: 'Progress of the library',
  waiting: 'Waiting',
  making: 'Shooting',
  probing: 'Inspecting',
  encoding: 'Encoding',
  packaging: 'Packaging',
  publishing: 'Publishing',
  ready: 'Ready',
  failed: 'Failed',
  cancelled: 'Cancelled',
}
