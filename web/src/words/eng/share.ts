import type { share as french } from '../fra/share.ts'

export const share: typeof french = {
  share: 'Share',
  label: 'Share: {{title}}',
}
